#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <splatwright/convert/changed_blocks.h>
#include <splatwright/convert/conversion_report.h>
#include <splatwright/convert/detail_levels.h>
#include <splatwright/convert/device_clusters.h>
#include <splatwright/convert/operation.h>
#include <splatwright/convert/summary.h>
#include <splatwright/core/memory.h>
#include <splatwright/core/names.h>
#include <splatwright/scene/formats/formats.h>
#include <splatwright/scene/formats/sog/streamed_sog_writer.h>
#include <splatwright/scene/gaussians/usable.h>
#include "commands/command.h"
#include "commands/options.h"
#include "commands/standard_output.h"

namespace splat::app {

namespace {

struct Options {
    std::vector<std::string> files;                              ///< inputs, then the output unless only a summary is asked for
    std::string from, to;                                        ///< names of a format and a writer; empty: by content, by extension
    std::map<std::string, std::vector<ReachingChange>> changes;  ///< by option, one for each time it stands
    std::map<std::string, float> numbers;                        ///< of second options, by the name of the first
    bool summary = false, json = false, force = false;
    bool levels = false;  ///< of detail
    bool report = false;

    bool writes() const { return !(summary || json) || files.size() > 1; }
};

constexpr size_t kBlockBytes = size_t{16} << 20U;  // more than a block takes in any format

/// A change and the name of its option.
using NamedChange = std::pair<std::string, ReachingChange>;

/// The changes in the order of the command line.
std::vector<NamedChange> changesOf(const CLI::App& command, const Options& options) {
    std::vector<NamedChange> changes;
    std::map<std::string, size_t> used;
    for (const CLI::Option* option : command.parse_order()) {
        const std::string name = option->get_name();
        const auto found = options.changes.find(name);
        if (found != options.changes.end()) changes.emplace_back(name, found->second.at(used[name]++));
    }
    return changes;
}

Gaussians readInputs(const Options& options, size_t inputs, Progress& progress) {
    Gaussians all;
    for (size_t i = 0; i < inputs; ++i) {
        progress.update(i, fmt::format("reading {}", printable(options.files[i])));
        Gaussians one = options.from.empty() ? readSplats(options.files[i]) : splatFormatByName(options.from).read(options.files[i]);
        if (i == 0) {
            all = std::move(one);
            continue;
        }
        if (one.antialiased != all.antialiased)
            throw InputError("{}: found splats {} Mip-Splatting's 2D filter, expected the same of all inputs", options.files[i],
                             one.antialiased ? "with" : "without");
        if (one.shDegree > all.shDegree) setShDegree(all, one.shDegree);
        append(all, one);
    }
    return all;
}

/// A format of the table, or levels of detail.
struct Target {
    std::string path;
    const SplatWriter* writer = nullptr;  ///< null: levels
};

Target targetOf(const Options& options) {
    Target target{.path = options.files.back()};
    if (options.levels && !namesStreamedSog(target.path))
        throw InputError("{}: found another name, expected {} or *.ssog for levels of detail", target.path, kStreamedSogList);
    if (!namesStreamedSog(target.path) || !options.to.empty())
        target.writer = options.to.empty() ? &splatWriterOf(target.path) : &splatWriterByName(options.to);
    if (!options.force && std::filesystem::exists(target.path)) throw InputError("{}: exists already; --force replaces it", target.path);
    return target;
}

/// What a file of the table holds.
std::string contentOf(const std::string& path, size_t count, int shDegree) {
    const auto bytes = std::filesystem::is_regular_file(path) ? std::filesystem::file_size(path) : 0;
    const std::string size = fmt::format(", {} bytes, {:.1f} per splat", bytes, static_cast<double>(bytes) / static_cast<double>(count));
    return fmt::format("{} splats of SH degree {}{}", count, shDegree, bytes > 0 ? size : "");
}

/// Writes the file and says what it holds. Levels are made of `gaussians` itself unless it is to be kept.
std::string write(const Target& target, Gaussians& gaussians, bool keep, const LazyDevice& device,
                  const std::function<void(std::string)>& say) {
    if (target.writer) {
        say(fmt::format("writing {}", target.writer->name));
        if (target.writer->writeClustered)
            target.writer->writeClustered(target.path, gaussians, clusteringOn(device));
        else
            target.writer->write(target.path, gaussians);
        return contentOf(target.path, gaussians.count(), gaussians.shDegree);
    }
    const size_t count = gaussians.count();
    Gaussians usable = usableOnly(keep ? gaussians : std::exchange(gaussians, {}));
    const DetailSummary summary = writeDetailLevels(target.path, usable, {}, device, [&](size_t part, size_t parts) {
        say(fmt::format("levels of detail, part {} of {}", part + 1, parts));
    });
    return fmt::format("{} splats in {} nodes, {} in levels, {} bytes", count, summary.nodes, fmt::join(summary.counts, ", "),
                       summary.bytes);
}

/// The changed input in blocks, if nothing that is asked for needs all splats at once; else null.
std::unique_ptr<SplatBlocks> blocksOf(const Options& options, size_t inputs, const std::vector<NamedChange>& changes,
                                      const std::optional<Target>& target) {
    const bool inBlocks = target && target->writer && target->writer->writeBlocks && inputs == 1 &&
                          !(options.summary || options.json || options.report) &&
                          std::ranges::none_of(changes, [](const NamedChange& c) { return c.second.reach == Reach::model; });
    if (!inBlocks) return nullptr;
    const SplatFormat* format = options.from.empty() ? nullptr : &splatFormatByName(options.from);
    std::unique_ptr<SplatBlocks> blocks = !format ? openSplats(options.files[0]) : format->open ? format->open(options.files[0]) : nullptr;
    if (!blocks) return nullptr;
    std::vector<ReachingChange> reaching;
    for (const NamedChange& change : changes) reaching.push_back(change.second);
    return changedBlocks(std::move(blocks), std::move(reaching));
}

/// Reads what was written and compares it.
ConversionReport reportOf(const Target& target, const Gaussians& written, const LazyDevice& device) {
    const Gaussians readBack = target.writer ? splatFormatOf(*target.writer).read(target.path) : readSplats(target.path);
    if (written.count() == 0 || readBack.count() == 0)
        throw InputError("--report: found {} splats to write and {} in {}, expected some to compare", written.count(), readBack.count(),
                         printable(target.path));
    ConversionReport report = compareRenders(device.device(), device.sort(), written, readBack);
    report.bytes = bytesOfModel(target.path);
    return report;
}

/// On standard output: statistics, what was written and what that cost, as asked for.
void tell(const Options& options, const std::optional<SplatSummary>& summary, const std::string& written,
          const std::optional<ConversionReport>& report) {
    if (options.json) {
        nlohmann::json all = toJson(*summary);
        if (report) all["report"] = toJson(*report);
        output("{}\n", all.dump(2));
        return;
    }
    if (options.summary) output("{}", toText(*summary));
    if (options.writes()) output("{}: {}\n", printable(options.files.back()), written);
    if (report) output("{}", toText(*report));
}

Exit runConvert(Context& context, const CLI::App& command, const Options& options) {
    const size_t inputs = options.files.size() - (options.writes() ? 1 : 0);
    if (inputs == 0) throw InputError("convert: found one file, expected inputs and an output, or --summary");
    if (options.report && !options.writes()) throw InputError("--report: found one file, expected inputs and an output");
    const std::optional<Target> target = options.writes() ? std::optional(targetOf(options)) : std::nullopt;
    const auto changes = changesOf(command, options);
    const size_t done = inputs + changes.size();
    Progress progress(std::cerr, context.progressStyle(), "converting", done + (target ? 1 : 0));
    const auto say = [&](const std::string& what) { progress.update(done, what); };
    if (const auto blocks = blocksOf(options, inputs, changes, target)) {
        keepFreedMemory(kBlockBytes);
        say(fmt::format("writing {}", target->writer->name));
        target->writer->writeBlocks(target->path, *blocks);
        progress.finish();
        tell(options, {}, contentOf(target->path, blocks->count(), blocks->form().shDegree), {});
        return Exit::done;
    }
    Gaussians gaussians = readInputs(options, inputs, progress);
    const LazyDevice device{[&]() -> gpu::Device& { return context.device(); },
                            [&]() -> const primitives::RadixSort& { return context.sort(); }};
    for (size_t i = 0; i < changes.size(); ++i) {
        progress.update(inputs + i, changes[i].first);
        changes[i].second.change(gaussians, device);
    }
    const auto summary = options.summary || options.json ? std::optional(summaryOf(gaussians)) : std::nullopt;
    const std::string written = target ? write(*target, gaussians, options.report, device, say) : "";
    const auto report = options.report ? std::optional(reportOf(*target, gaussians, device)) : std::nullopt;
    progress.finish();
    tell(options, summary, written, report);
    return Exit::done;
}

std::string writerHelp() {
    std::string help = "Format to write [that of OUT's extension]:";
    for (const SplatWriter* writer : splatWriters()) help += fmt::format("\n{}: {}", writer->name, writer->help);
    return help;
}

constexpr const char* kChanges = "Changes, in the order in which they stand";

/// The second option of a row, which is parsed before the values of all first ones are.
void addNumberOf(CLI::App& command, const SplatOperation& row, CLI::Option* first, float& value) {
    const OperationNumber& number = row.number;
    value = number.initial;
    addReal(command, std::string("--") + number.name, value, {number.min, number.max}, number.help)
        ->trigger_on_parse()
        ->needs(first)
        ->default_str(fmt::format("{:g}", number.initial))
        ->group(kChanges);
}

void addOperations(CLI::App& command, const std::shared_ptr<Options>& o) {
    for (const SplatOperation* row : splatOperations()) {
        const std::string flag = std::string("--") + row->name;
        const auto add = [o, row, flag](std::string_view value) {
            const auto number = row->number.name ? std::optional(o->numbers[flag]) : std::nullopt;
            o->changes[flag].push_back({changeOf(*row, value, flag, number), row->reach});
        };
        const auto addAll = [o, flag, add](const std::vector<std::string>& values) {
            o->changes[flag].clear();
            for (const std::string& value : values) add(value);
        };
        const std::string range = row->min < row->max ? fmt::format(" ({:g} to {:g})", row->min, row->max) : "";
        CLI::Option* option =
            row->value ? command.add_option_function<std::vector<std::string>>(flag, addAll)->allow_extra_args(false)->type_name(row->value)
                       : command.add_flag_function(flag, [add](int64_t times) {
                             for (int64_t i = 0; i < times; ++i) add("");
                         });
        option->description(row->help + range)->group(kChanges);
        if (row->number.name) addNumberOf(command, *row, option, o->numbers[flag]);
    }
}

Run addConvert(CLI::App& command) {
    const auto o = std::make_shared<Options>();
    command
        .add_option("FILES", o->files,
                    fmt::format("Inputs ({}), which are merged, and the output; only inputs with --summary", splatFormatNames()))
        ->required()
        ->type_name("IN... OUT");
    command.add_option("--from", o->from, "Format of the inputs, as in --to [by content, else by extension]")->type_name("NAME");
    command.add_option("--to", o->to, writerHelp())->type_name("NAME");
    command.add_flag("--summary", o->summary, "Print statistics of every property");
    command.add_flag("--json", o->json, "Print the statistics as JSON");
    command.add_flag("--report", o->report, "Print what writing OUT loses, after all operations: PSNR of renders, bytes per splat");
    command.add_flag("--lod", o->levels,
                     "Write levels of detail: a streamed SOG, whose OUT is *.ssog or lod-meta.json, as its name says without this");
    command.add_flag("--force", o->force, "Replace an OUT that exists");
    addOperations(command, o);
    return [o, &command](Context& context) { return runConvert(context, command, *o); };
}

}  // namespace

extern const Command kConvertCommand{
    .name = "convert",
    .summary = "Convert splats between formats; merge, move, filter and sort them",
    .add = addConvert,
};

}  // namespace splat::app
