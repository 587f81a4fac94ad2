"""Splats as columns: PLY files of 32-bit floats, and the differences between two tables of splats."""
import numpy as np

SH_BAND_0 = 0.28209479177387814
EXTENT = 10  # of made_splats() along every axis


class Splats:
    """Columns of a PLY in the file's own parameters: logits, logarithms, coefficients as f_dc and f_rest."""

    def __init__(self, positions, rotations, log_scales, logits, sh):
        self.positions, self.rotations, self.log_scales, self.logits = positions, rotations, log_scales, logits
        self.sh = sh  # splats x coefficients x 3

    def __len__(self):
        return len(self.positions)

    @property
    def degree(self):
        return int(round(self.sh.shape[1] ** 0.5)) - 1


def made_splats(count, degree, seed=1):
    """Splats as tests/scene/written_formats_test.cpp has them: the page's bounds are those of such splats."""
    rng = np.random.default_rng(seed)
    rotations = np.concatenate([rng.uniform(-1, 1, (count, 3)), rng.uniform(0.1, 1, (count, 1))], 1)
    sh = rng.uniform(-1, 1, (count, (degree + 1) ** 2, 3))
    sh[:, 0] = (rng.uniform(0, 1, (count, 3)) - 0.5) / SH_BAND_0
    columns = (rng.uniform(0, EXTENT, (count, 3)) + [0, -EXTENT, 5], rotations / np.linalg.norm(rotations, axis=1, keepdims=True),
               rng.uniform(-7, 1, (count, 3)), rng.uniform(-5, 5, count), sh)
    return Splats(*(column.astype(np.float32) for column in columns))


def names_of(degree):
    rest = 3 * ((degree + 1) ** 2 - 1)
    return ["x", "y", "z", *(f"f_dc_{c}" for c in range(3)), *(f"f_rest_{k}" for k in range(rest)), "opacity",
            *(f"scale_{c}" for c in range(3)), *(f"rot_{c}" for c in range(4))]


def write_ply(path, splats):
    rest = splats.sh[:, 1:].transpose(0, 2, 1).reshape(len(splats), -1)  # all of red, then of green, then of blue
    rows = np.concatenate([splats.positions, splats.sh[:, 0], rest, splats.logits[:, None], splats.log_scales, splats.rotations], 1)
    header = ["ply", "format binary_little_endian 1.0", f"element vertex {len(splats)}"]
    header += [f"property float {name}" for name in names_of(splats.degree)] + ["end_header", ""]
    path.write_bytes("\n".join(header).encode() + rows.astype("<f4").tobytes())


def read_ply(path):
    """A PLY whose only element has only 32-bit floats, as `convert` and splat-transform write."""
    header, _, body = path.read_bytes().partition(b"end_header\n")
    lines = header.decode().splitlines()
    properties = [line.split() for line in lines if line.startswith("property")]
    if any(kind != "float" for _, kind, _ in properties) or sum(line.startswith("element") for line in lines) != 1:
        raise ValueError(f"{path}: expected one element of 32-bit floats, found {lines}")
    rows = np.frombuffer(body, "<f4").reshape(-1, len(properties))
    columns = {name: rows[:, k] for k, (_, _, name) in enumerate(properties)}

    def several(stem, count):
        return np.stack([columns[f"{stem}_{k}"] for k in range(count)], 1)

    rest = sum(name.startswith("f_rest_") for name in columns)
    sh = several("f_dc", 3)[:, None]
    if rest:
        sh = np.concatenate([sh, several("f_rest", rest).reshape(len(rows), 3, rest // 3).transpose(0, 2, 1)], 1)
    return Splats(np.stack([columns[c] for c in "xyz"], 1), several("rot", 4), several("scale", 3), columns["opacity"], sh)


# Half turns about x and z: from the frame of a PLY (x right, y down, z forward) to that of OpenGL (y up, z backward) and of glTF (x left, y up).
TO_OPENGL, TO_GLTF = (1, -1, -1), (-1, -1, 1)


def turned(splats, signs=TO_OPENGL):
    """Splats in another frame, or back."""
    x, y, z = signs
    parities = [1, y, z, x, x * y, y * z, 1, x * z, 1, y, x * y * z, y, z, x, z, x]
    return Splats(splats.positions * signs, splats.rotations * [1, x, y, z], splats.log_scales, splats.logits,
                  splats.sh * np.array(parities[:splats.sh.shape[1]])[:, None])


def nearest(found, expected):
    """Index of the expected splat nearest to each found one: programs may change the order."""
    distances = ((found.positions[:, None].astype(float) - expected.positions[None].astype(float)) ** 2).sum(2)
    indices = distances.argmin(1)
    if len(found) != len(expected) or len(np.unique(indices)) != len(expected):
        raise ValueError(f"{len(found)} splats lie at {len(np.unique(indices))} of {len(expected)} places")
    return indices


def times(a, b):
    """Products of quaternions w, x, y, z."""
    w, x, y, z = a.T
    p, q, r, s = b
    return np.stack([w * p - x * q - y * r - z * s, w * q + x * p + y * s - z * r, w * r - x * s + y * p + z * q, w * s + x * r - y * q + z * p], 1)


def degrees_between(a, b):
    """Between rotations of ellipsoids, which half turns about their own axes leave as they are."""
    p, q = (r.astype(float) / np.linalg.norm(r.astype(float), axis=1, keepdims=True) for r in (a, b))
    chords = np.min([np.linalg.norm(times(p, half_turn) - sign * q, axis=1) for half_turn in np.eye(4) for sign in (1, -1)], axis=0)
    return np.degrees(4 * np.arcsin(np.minimum(chords / 2, 1)))


def largest(values):
    return float(np.abs(values).max()) if values.size else 0.0


def differences(found, expected):
    """The largest difference of each attribute of made_splats(), in the units of engine/scene/formats/README.md; NaN counts as infinitely large."""
    match = nearest(found, expected)
    coefficients = min(found.sh.shape[1], expected.sh.shape[1])

    def opacities(splats):
        return 1 / (1 + np.exp(-np.clip(splats.logits.astype(float), -700, 700)))

    worst = {
        "position": largest(found.positions - expected.positions[match]) / EXTENT,
        "rotation": largest(degrees_between(found.rotations, expected.rotations[match])),
        "log scale": largest(found.log_scales - expected.log_scales[match]),
        "opacity": largest(opacities(found) - opacities(expected)[match]),
        "colour": largest(found.sh[:, 0] - expected.sh[match, 0]) * SH_BAND_0,
        "SH": largest(found.sh[:, 1:coefficients] - expected.sh[match, 1:coefficients]),
    }
    return {name: value if value == value else float("inf") for name, value in worst.items()}
