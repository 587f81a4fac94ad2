#include <splatwright/scene/images/to_srgb.h>

#ifdef SPLAT_HAS_LCMS
#include <lcms2.h>

#include <splatwright/scene/images/exif.h>
#else
#include <atomic>
#include <string_view>

#include <splatwright/core/log.h>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <type_traits>

#include <splatwright/scene/images/srgb_curve.h>

namespace splat {
namespace {

void roundValues(std::span<const float> values, bool areLight, std::span<uint8_t> row) {
    for (size_t i = 0; i < values.size(); ++i) {
        const float value = values[i] > 0 ? std::min(values[i], 1.0F) : 0;
        row[i] = static_cast<uint8_t>(std::lround(255 * (areLight ? srgbOfLight(value) : value)));
    }
}

}  // namespace

void ToSrgb::convert(std::span<uint8_t> row) const {
    if (transform_) return transform(row);
    if (pixels_ != Pixels::cmyk) return;
    for (size_t x = 0; x < row.size() / 4; ++x) {
        const uint32_t light = 255U - row[4 * x + 3];
        for (size_t c = 0; c < 3; ++c) row[3 * x + c] = static_cast<uint8_t>((255U - row[4 * x + c]) * light / 255);
    }
}

#ifdef SPLAT_HAS_LCMS

namespace {

struct Deleter {
    void operator()(cmsContext context) const { cmsDeleteContext(context); }
};
using Context = std::unique_ptr<std::remove_pointer_t<cmsContext>, Deleter>;

/// Of a profile in memory, closed in the destructor.
struct Profile {
    cmsHPROFILE handle;
    explicit Profile(cmsHPROFILE opened) : handle(opened) {}
    ~Profile() {
        if (handle) cmsCloseProfile(handle);
    }
    Profile(const Profile&) = delete;
    Profile& operator=(const Profile&) = delete;
};

constexpr cmsUInt32Number kRgb = TYPE_RGB_8, kRgba = TYPE_RGBA_8, kCmyk = TYPE_CMYK_8;
/// Grey pixels have three equal channels here; the first is read.
constexpr cmsUInt32Number kGreyOfRgb = COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | EXTRA_SH(2) | BYTES_SH(1);
constexpr cmsUInt32Number kGreyOfRgba = COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | EXTRA_SH(3) | BYTES_SH(1);

size_t channelsOf(Pixels pixels) { return pixels == Pixels::rgb ? 3 : 4; }

/// How pixels lie for a profile of this space; 0: they are not of it.
cmsUInt32Number layoutFor(uint32_t space, Pixels pixels) {
    if (pixels == Pixels::cmyk) return space == cmsSigCmykData ? kCmyk : 0;
    if (space == cmsSigGrayData) return pixels == Pixels::rgba ? kGreyOfRgba : kGreyOfRgb;
    if (space == cmsSigRgbData) return pixels == Pixels::rgba ? kRgba : kRgb;
    return 0;
}

cmsUInt32Number layoutOfFloats(uint32_t space) {
    constexpr cmsUInt32Number kGrey = FLOAT_SH(1) | COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | EXTRA_SH(2) | BYTES_SH(4);
    return space == cmsSigGrayData ? kGrey : space == cmsSigRgbData ? cmsUInt32Number{TYPE_RGB_FLT} : 0;
}

/// From the colours of a profile to sRGB.
struct ProfileTransform {
    Context context{cmsCreateContext(nullptr, nullptr)};
    cmsHTRANSFORM handle = nullptr;  ///< null: the profile is damaged, or layoutOf() says 0 of its space

    /// From pixels as layoutOf() says to pixels that lie as in `out`.
    template <class LayoutOf>
    ProfileTransform(std::span<const std::byte> bytes, cmsUInt32Number out, const LayoutOf& layoutOf);
    ~ProfileTransform() {
        if (handle) cmsDeleteTransform(handle);
    }
    ProfileTransform(const ProfileTransform&) = delete;
    ProfileTransform& operator=(const ProfileTransform&) = delete;
};

template <class LayoutOf>
ProfileTransform::ProfileTransform(std::span<const std::byte> bytes, cmsUInt32Number out, const LayoutOf& layoutOf) {
    cmsSetLogErrorHandlerTHR(context.get(), [](cmsContext, cmsUInt32Number, const char*) {});
    const Profile source(cmsOpenProfileFromMemTHR(context.get(), bytes.data(), static_cast<cmsUInt32Number>(bytes.size())));
    const Profile target(cmsCreate_sRGBProfileTHR(context.get()));
    if (!source.handle || !target.handle) return;
    constexpr uint64_t kSpaceOffset = 16;  // read here: a damaged profile's number need not be one of Little CMS's enumeration
    const cmsUInt32Number layout = layoutOf(numberAt(bytes, kSpaceOffset, 4, std::endian::big));
    if (layout == 0) return;
    handle = cmsCreateTransformTHR(context.get(), source.handle, layout, target.handle, out, INTENT_RELATIVE_COLORIMETRIC,
                                   cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION);
}

}  // namespace

struct ToSrgb::Transform : ProfileTransform {
    Transform(std::span<const std::byte> profile, Pixels pixels)
        : ProfileTransform(profile, pixels == Pixels::rgba ? kRgba : kRgb, [&](uint32_t space) { return layoutFor(space, pixels); }) {}
};

struct FloatsToSrgb::Transform : ProfileTransform {
    explicit Transform(std::span<const std::byte> profile) : ProfileTransform(profile, TYPE_RGB_FLT, layoutOfFloats) {}
};

namespace {

/// Whether any of 9 x 9 x 9 colours moves by more than one step.
bool movesColours(const ToSrgb& toSrgb, size_t channels) {
    std::vector<uint8_t> probes;
    for (int i = 0; i < 9 * 9 * 9; ++i) {
        for (const int level : {i / 81, i / 9 % 9, i % 9}) probes.push_back(static_cast<uint8_t>(255 * level / 8));
        if (channels == 4) probes.push_back(255);
    }
    std::vector<uint8_t> found = probes;
    toSrgb.convert(found);
    for (size_t i = 0; i < probes.size(); ++i) {
        if (std::abs(probes[i] - found[i]) > 1) return true;
    }
    return false;
}

}  // namespace

ToSrgb::ToSrgb(std::span<const std::byte> profile, Pixels pixels) : pixels_(pixels) {
    if (profile.empty()) return;
    transform_ = std::make_unique<Transform>(profile, pixels);
    if (!transform_->handle || (pixels != Pixels::cmyk && !movesColours(*this, channelsOf(pixels)))) transform_.reset();
}

/// Alpha is left alone: the transform does not write it. Each pixel is read before one that is not longer is written.
void ToSrgb::transform(std::span<uint8_t> row) const {
    cmsDoTransform(transform_->handle, row.data(), row.data(), static_cast<cmsUInt32Number>(row.size() / channelsOf(pixels_)));
}

FloatsToSrgb::FloatsToSrgb(std::span<const std::byte> profile) {
    if (profile.empty()) return;
    transform_ = std::make_unique<Transform>(profile);
    if (!transform_->handle) transform_.reset();
}

void FloatsToSrgb::convert(std::span<float> values, std::span<uint8_t> row) const {
    if (transform_) cmsDoTransform(transform_->handle, values.data(), values.data(), static_cast<cmsUInt32Number>(values.size() / 3));
    roundValues(values, !transform_, row);
}

std::vector<std::byte> profileOfPrimaries(int number) {
    constexpr cmsCIExyY kD65{0.3127, 0.3290, 1};
    constexpr cmsCIExyYTRIPLE kP3{{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}};
    constexpr cmsCIExyYTRIPLE kBt2020{{0.708, 0.292, 1}, {0.170, 0.797, 1}, {0.131, 0.046, 1}};
    constexpr std::array kSrgbCurve{2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    if (number != 12 && number != 9) return {};
    const std::unique_ptr<cmsToneCurve, decltype(&cmsFreeToneCurve)> curve(cmsBuildParametricToneCurve(nullptr, 4, kSrgbCurve.data()),
                                                                           cmsFreeToneCurve);
    const std::array<cmsToneCurve*, 3> curves{curve.get(), curve.get(), curve.get()};
    const Profile profile(cmsCreateRGBProfile(&kD65, number == 12 ? &kP3 : &kBt2020, curves.data()));
    cmsUInt32Number size = 0;
    if (!profile.handle || cmsSaveProfileToMem(profile.handle, nullptr, &size) == 0) return {};
    std::vector<std::byte> bytes(size);
    return cmsSaveProfileToMem(profile.handle, bytes.data(), &size) != 0 ? bytes : std::vector<std::byte>();
}

#else

std::vector<std::byte> profileOfPrimaries(int) { return {}; }

struct ToSrgb::Transform {};

namespace {

void warnOfProfile(std::span<const std::byte> profile) {
    static std::atomic<bool> warned = false;
    if (profile.empty() || warned.exchange(true)) return;
    spdlog::warn("pictures have a colour profile, and this build does without: it was built without liblcms2-dev");
}

}  // namespace

ToSrgb::ToSrgb(std::span<const std::byte> profile, Pixels pixels) : pixels_(pixels) {
    using namespace std::string_view_literals;
    const std::string_view text(reinterpret_cast<const char*>(profile.data()), profile.size());
    // Its description, in ASCII or in UTF-16.
    const bool isSrgb = text.find("sRGB"sv) != std::string_view::npos || text.find("s\0R\0G\0B"sv) != std::string_view::npos;
    if (!isSrgb) warnOfProfile(profile);
}

void ToSrgb::transform(std::span<uint8_t>) const {}

struct FloatsToSrgb::Transform {};

FloatsToSrgb::FloatsToSrgb(std::span<const std::byte> profile) { warnOfProfile(profile); }

void FloatsToSrgb::convert(std::span<float> values, std::span<uint8_t> row) const { roundValues(values, true, row); }

#endif

ToSrgb::~ToSrgb() = default;
FloatsToSrgb::~FloatsToSrgb() = default;

}  // namespace splat
