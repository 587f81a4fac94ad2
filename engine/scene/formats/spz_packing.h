#pragma once

#include <filesystem>
#include <vector>

#include <splatwright/scene/formats/spz_packed.h>
#include <splatwright/scene/formats/spz_writer.h>

namespace splat {

/// The file's header for the splats. Throws InputError with the splat whose position lies out of the version's range.
SpzHeader spzHeaderOf(const std::filesystem::path& path, const Gaussians& gaussians, uint32_t version);

/// The blocks of the file, one after another, as SpzPacked reads them.
std::vector<std::byte> packSpz(const Gaussians& gaussians, const SpzHeader& header, const SpzEncoding& encoding);

}  // namespace splat
