"""The groupshared memory of a kernel, from its SPIR-V (opcodes and storage classes are those of the SPIR-V specification)."""

WORKGROUP = 4  # storage class
ALIGNMENT = 16  # bytes that a driver may round a variable up to
ANY = 0xFFFFFFFF  # value of a specialization constant: sizes take a few of its low bits (lib/model/splat.slang)

OPERATIONS = {
    128: lambda a, b: a + b,  # OpIAdd
    132: lambda a, b: a * b,  # OpIMul
    199: lambda a, b: a & b,  # OpBitwiseAnd
}


def instructions(words):
    """Opcode and operands of each instruction of a module."""
    at = 5
    while at < len(words):
        length = words[at] >> 16
        yield words[at] & 0xFFFF, words[at + 1 : at + length]
        at += length


class Module:
    """Types, constants and groupshared variables of a module."""

    def __init__(self, words):
        self.types, self.constants, self.shared = {}, {}, []
        for opcode, operands in instructions(words):
            if opcode in (20, 21, 22, 23, 24, 28, 30, 32):  # OpTypeBool ... OpTypePointer
                self.types[operands[0]] = (opcode, operands[1:])
            elif opcode == 43:  # OpConstant
                self.constants[operands[1]] = operands[2]
            elif opcode == 50:  # OpSpecConstant
                self.constants[operands[1]] = ANY
            elif opcode == 52 and operands[2] in OPERATIONS:  # OpSpecConstantOp
                a, b = (self.constants[o] for o in operands[3:])
                self.constants[operands[1]] = OPERATIONS[operands[2]](a, b) & 0xFFFFFFFF
            elif opcode == 59 and operands[2] == WORKGROUP:  # OpVariable
                self.shared.append(self.types[operands[0]][1][1])

    def size(self, of):
        """Bytes of a type, without padding."""
        opcode, operands = self.types[of]
        if opcode == 20:
            return 4
        if opcode in (21, 22):
            return operands[0] // 8
        if opcode in (23, 24):
            return self.size(operands[0]) * operands[1]
        if opcode == 28:
            return self.size(operands[0]) * self.constants[operands[1]]
        return sum(map(self.size, operands))


def groupshared_bytes(words):
    """Bytes of a kernel's groupshared variables, with the specialization constants that need most."""
    module = Module(words)
    return sum(-(-module.size(variable) // ALIGNMENT) * ALIGNMENT for variable in module.shared)
