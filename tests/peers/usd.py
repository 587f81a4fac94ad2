"""PyPI's usd-core reads and writes splats as ParticleField3DGaussianSplat, whose frame has y up."""
import numpy as np
from pxr import Usd, UsdGeom, UsdVol, Vt

from splat_table import Splats, turned


def coefficients_of(attribute, degree):
    return np.array(attribute.Get()).reshape(-1, (degree + 1) ** 2, 3)


def read(path):
    stage = Usd.Stage.Open(str(path))
    prim = stage.GetDefaultPrim()
    if not prim.IsA(UsdVol.ParticleField3DGaussianSplat) or UsdGeom.GetStageUpAxis(stage) != UsdGeom.Tokens.y:
        raise ValueError(f"{path}: the default prim is {prim.GetTypeName()}, expected splats with y up")

    def numbers(name):
        return np.array(prim.GetAttribute(name).Get())

    rotations = np.array([[q.GetReal(), *q.GetImaginary()] for q in prim.GetAttribute("orientations").Get()])
    opacities = numbers("opacities").astype(float)
    degree = prim.GetAttribute("radiance:sphericalHarmonicsDegree").Get()
    sh = coefficients_of(prim.GetAttribute("radiance:sphericalHarmonicsCoefficients"), degree)
    return turned(Splats(numbers("positions"), rotations, np.log(numbers("scales")), np.log(opacities / (1 - opacities)), sh))


def write(splats, path):
    splats = turned(splats)
    stage = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    prim = UsdVol.ParticleField3DGaussianSplat.Define(stage, "/splats").GetPrim()
    stage.SetDefaultPrim(prim)
    for name, values in (("positions", splats.positions), ("scales", np.exp(splats.log_scales)),
                         ("radiance:sphericalHarmonicsCoefficients", splats.sh.reshape(-1, 3))):
        prim.GetAttribute(name).Set(Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(values, np.float32)))
    imaginary_first = np.roll(splats.rotations, -1, axis=1)
    prim.GetAttribute("orientations").Set(Vt.QuatfArray.FromNumpy(np.ascontiguousarray(imaginary_first, np.float32)))
    prim.GetAttribute("opacities").Set(Vt.FloatArray.FromNumpy((1 / (1 + np.exp(-splats.logits))).astype(np.float32)))
    prim.GetAttribute("radiance:sphericalHarmonicsDegree").Set(splats.degree)
    stage.Export(str(path))
