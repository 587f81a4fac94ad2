#include <splatwright/scene/formats/usd/usda.h>

#include <algorithm>
#include <cmath>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/threads.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/quantised.h>
#include <splatwright/scene/formats/usd/usda_document.h>
#include <splatwright/scene/formats/usd/usda_numbers.h>
#include <splatwright/scene/formats/usd/usda_transform.h>

namespace splat {
namespace {

namespace fs = std::filesystem;

constexpr size_t kSlice = 4096;  // splats per thread and step

/// A prim of splats, and the transform from its space to that of a PLY.
struct Field {
    const UsdaPrim* prim;
    std::string path;
    glm::dmat4 matrix;
};

bool isSplats(const UsdaText& text, const UsdaPrim& prim) {
    if (prim.specifier != "def") return false;
    if (prim.type == "ParticleField3DGaussianSplat") return true;
    const UsdaProperty* schemas = propertyOf(prim.metadata, "apiSchemas");
    if (prim.type != "ParticleField" || !schemas) return false;
    return std::ranges::count(stringsIn(text, schemas->value), "ParticleFieldKernelGaussianEllipsoidAPI") > 0;
}

void collect(const UsdaText& text, const std::vector<UsdaPrim>& prims, const std::string& parent, const glm::dmat4& frame,
             const glm::dmat4& outer, std::vector<Field>& found) {
    for (const UsdaPrim& prim : prims) {
        const UsdaProperty* active = propertyOf(prim.metadata, "active");
        if (prim.specifier == "class" || (active && (active->value == "false" || active->value == "0"))) continue;
        const UsdaTransform own = transformOf(text, prim);
        const glm::dmat4 matrix = (own.resets ? frame : outer) * own.matrix;
        const std::string path = parent + "/" + std::string(prim.name);
        if (isSplats(text, prim)) found.push_back({&prim, path, matrix});
        collect(text, prim.children, path, frame, matrix, found);
    }
}

/// From the scene's space to that of a PLY: x right, y down, z forward.
glm::dmat4 frameOf(const UsdaText& text, const UsdaDocument& document) {
    const UsdaProperty* up = propertyOf(document.metadata, "upAxis");
    const std::vector<std::string_view> axes = up ? stringsIn(text, up->value) : std::vector<std::string_view>{"Y"};
    const std::string_view axis = axes.size() == 1 ? axes.front() : "";
    if (axis == "Y") return {1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1};
    if (axis == "Z") return {1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1};
    text.fail(up->value.data(), "\"Y\" or \"Z\"");
}

/// Reads the attributes of a prim. The schema prefers those in single precision to those in half, whose names end in h.
class Attributes {
public:
    Attributes(const UsdaText& text, const UsdaPrim& prim) : text_(text), prim_(prim) {}

    /// The value of the attribute, or its first sample; empty if there is none.
    std::string_view value(const std::string& name) const {
        for (const std::string& full : {name, name + "h"}) {
            const UsdaProperty* fixed = propertyOf(prim_.properties, full);
            if (fixed && fixed->value != "None") return fixed->value;
            const UsdaProperty* samples = propertyOf(prim_.properties, full + ".timeSamples");
            if (samples) return firstSample(text_, samples->value);
        }
        return {};
    }

    /// The numbers of tuples; empty if there are none. A longer array is cut off, as the schema has it; a shorter one, which the schema ignores, is an
    /// error, since all splats would look wrong.
    std::vector<float> numbers(const std::string& name, size_t tuple, size_t tuples) const {
        const std::string_view found = value(name);
        if (found.empty()) return {};
        std::vector<float> numbers = usdaArray(text_, found, tuple);
        if (numbers.empty()) return numbers;
        if (numbers.size() < tuples * tuple) {
            throw InputError("{}: {} of prim {} has {} elements, expected {}", text_.path.string(), name, prim_.name,
                             numbers.size() / tuple, tuples);
        }
        numbers.resize(tuples * tuple);
        return numbers;
    }

    /// Not negative.
    int degree() const {
        const UsdaProperty* found = propertyOf(prim_.properties, "radiance:sphericalHarmonicsDegree");
        if (!found) return 3;  // the schema's default
        const double degree = usdaNumbers(text_, found->value, 1)[0];
        constexpr double kMost = 100;
        if (!(degree >= 0 && degree <= kMost && std::trunc(degree) == degree)) text_.fail(found->value.data(), "a degree");
        return static_cast<int>(degree);
    }

private:
    const UsdaText& text_;
    const UsdaPrim& prim_;
};

/// Coefficients of splats of this degree, of which a model keeps those up to degree 3.
void readCoefficients(Gaussians& g, const Attributes& attributes, int degree) {
    const size_t all = shCoefficients(degree), kept = shCoefficients(g.shDegree);
    const std::vector<float> sh = attributes.numbers("radiance:sphericalHarmonicsCoefficients", 3, g.count() * all);
    parallelEach(sh.empty() ? 0 : g.count(), kSlice, [&](size_t i) {
        for (size_t k = 0; k < kept; ++k) {
            const float* rgb = &sh[3 * (i * all + k)];
            g.sh[i * kept + k] = {rgb[0], rgb[1], rgb[2]};
        }
    });
}

Gaussians readField(const UsdaText& text, const UsdaPrim& prim) {
    const Attributes attributes(text, prim);
    const std::string_view where = attributes.value("positions");
    const std::vector<float> positions = where.empty() ? std::vector<float>() : usdaArray(text, where, 3);
    const size_t count = positions.size() / 3;
    const bool coloured = !attributes.value("radiance:sphericalHarmonicsCoefficients").empty();
    const int degree = coloured ? attributes.degree() : 0;
    const std::vector<float> rotations = attributes.numbers("orientations", 4, count), scales = attributes.numbers("scales", 3, count),
                             opacities = attributes.numbers("opacities", 1, count);
    Gaussians g;
    g.resize(count, std::min(degree, kMaxShDegree));
    parallelEach(count, kSlice, [&](size_t i) {
        g.means[i] = {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
        if (!rotations.empty())
            g.rotations[i] = unitRotation({rotations[4 * i], rotations[4 * i + 1], rotations[4 * i + 2], rotations[4 * i + 3]});
        if (!scales.empty()) g.logScales[i] = logOfScale(glm::vec3(scales[3 * i], scales[3 * i + 1], scales[3 * i + 2]));
        g.logitOpacities[i] = logitOfOpacity(opacities.empty() ? 1 : opacities[i]);
    });
    readCoefficients(g, attributes, degree);
    const UsdaProperty* antialiased = propertyOf(prim.properties, kUsdaAntialiased);
    g.antialiased = antialiased && (antialiased->value == "1" || antialiased->value == "true");
    return g;
}

/// At their highest degree.
Gaussians merged(std::vector<Gaussians> parts) {
    if (parts.size() == 1) return std::move(parts.front());
    Gaussians all;
    all.antialiased = std::ranges::all_of(parts, &Gaussians::antialiased);
    for (const Gaussians& part : parts) all.shDegree = std::max(all.shDegree, part.shDegree);
    for (const Gaussians& part : parts) append(all, part);
    return all;
}

Gaussians read(const fs::path& path) {
    const std::string content = readTextFile(path);
    const UsdaText text{path, content};
    if (!text.content.starts_with(kUsdaSignature)) {
        throw InputError("{}: is binary OpenUSD or none, expected the text format ({} ...): convert it to .usda with OpenUSD's usdcat",
                         path.string(), kUsdaSignature);
    }
    const UsdaDocument document = parseUsda(text);
    const glm::dmat4 frame = frameOf(text, document);
    std::vector<Field> fields;
    collect(text, document.prims, "", frame, frame, fields);
    if (fields.empty()) {
        throw InputError(
            "{}: found no prim of the type ParticleField3DGaussianSplat, expected one (other files that this one names are not read; "
            "OpenUSD's usdcat flattens them into one)",
            path.string());
    }
    std::vector<Gaussians> parts;
    for (const Field& field : fields) {
        Gaussians g = readField(text, *field.prim);
        requireFinite(path, g);
        parts.push_back(placed(std::move(g), field.matrix, fmt::format("{}: prim {}", path.string(), field.path)));
    }
    Gaussians all = merged(std::move(parts));
    requireFinite(path, all);
    return all;
}

/// The text format by its first words; binary files, and archives of OpenUSD, for a message that helps.
bool recognises(std::string_view head) {
    constexpr std::string_view kZip = "PK\x03\x04";
    return head.starts_with(kUsdaSignature) || head.starts_with("PXR-USDC") ||
           (head.starts_with(kZip) && head.substr(0, 512).find(".usd") != std::string_view::npos);
}

constexpr SplatWriter kWriters[] = {{"usda", "32-bit floats as text; programs of OpenUSD 26 read it", writeUsda}};

}  // namespace

extern const SplatFormat kUsdaFormat{
    .name = "OpenUSD",
    .extension = ".usda",
    .help = "the text format, with prims of the type ParticleField3DGaussianSplat",
    .recognises = recognises,
    .read = read,
    .writers = kWriters,
};

}  // namespace splat
