#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>
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

/// Blocks of an open file. File::read(first, end, form) returns a model of that form with its splats [first, end), or throws InputError.
template <class File>
class FileBlocks : public SplatBlocks {
public:
    FileBlocks(Gaussians form, size_t count, std::unique_ptr<const File> file)
        : SplatBlocks(std::move(form), count), file_(std::move(file)) {}

    void visit(size_t block, const Body& body) const override {
        const Gaussians splats = file_->read(start(block), start(block + 1), form());
        body(splats, 0, splats.count());
    }

private:
    std::unique_ptr<const File> file_;
};

/// A model in memory, which must outlive this.
class BlocksInMemory : public SplatBlocks {
public:
    explicit BlocksInMemory(const Gaussians& gaussians) : SplatBlocks(formOf(gaussians), gaussians.count()), gaussians_(gaussians) {}
    void visit(size_t block, const Body& body) const override { body(gaussians_, start(block), start(block + 1)); }

private:
    const Gaussians& gaussians_;
};

/// All splats.
Gaussians readBlocks(const SplatBlocks& blocks);

}  // namespace splat
