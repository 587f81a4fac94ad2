#pragma once

#include <functional>
#include <span>
#include <vector>

#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// A model in blocks of splats that are made when they are asked for: a large file need not be in memory.
class SplatBlocks {
public:
    /// Gets a block: the splats [first, end) of a model.
    using Body = std::function<void(const Gaussians& splats, size_t first, size_t end)>;

    virtual ~SplatBlocks() = default;

    /// Degree, antialiasing and columns of extras; no splats.
    const Gaussians& form() const { return form_; }
    size_t count() const { return starts_.back(); }
    size_t blocks() const { return starts_.size() - 1; }
    /// Splats in the blocks before.
    size_t start(size_t block) const { return starts_[block]; }
    /// Calls body once. Any thread may call this. Throws InputError.
    virtual void visit(size_t block, const Body& body) const = 0;

protected:
    /// Blocks of an equal number of splats, a few MB.
    SplatBlocks(Gaussians form, size_t count);
    SplatBlocks(Gaussians form, std::span<const size_t> counts);  ///< by block

private:
    Gaussians form_;
    std::vector<size_t> starts_;
};

/// A model without its splats.
Gaussians formOf(const Gaussians& gaussians);

/// A model of this form with room for so many splats.
Gaussians modelOf(const Gaussians& form, size_t count);

/// A model in memory, which must outlive this.
class BlocksInMemory : public SplatBlocks {
public:
    explicit BlocksInMemory(const Gaussians& gaussians) : SplatBlocks(formOf(gaussians), gaussians.count()), gaussians_(gaussians) {}
    void visit(size_t block, const Body& body) const override { body(gaussians_, start(block), start(block + 1)); }

private:
    const Gaussians& gaussians_;
};

/// Copies the splats [first, end) to those of a model from `at` on.
void copySplats(const Gaussians& from, size_t first, size_t end, Gaussians& to, size_t at);

/// All splats.
Gaussians readBlocks(const SplatBlocks& blocks);

}  // namespace splat
