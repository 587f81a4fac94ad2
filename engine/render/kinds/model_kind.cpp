#include <splatwright/render/kinds/model_kind.h>

#include <splatwright/core/table.h>

namespace splat {

SPLAT_TABLE(ModelKindRow, kModelKinds, kGaussiansKind, kFreeBlobsKind, kDemoBlobsKind);

std::span<const ModelKindRow* const> modelKindTable() { return kModelKinds; }

const ModelKindRow& modelKindByName(std::string_view name) { return rowByName(kModelKinds, "model kind", name); }

const ModelKindRow& gaussiansIn3d() { return *kModelKinds.front(); }

const ModelKindRow& kindOfFile(const std::filesystem::path& path) {
    for (const ModelKindRow* row : kModelKinds) {
        if (row->isFile && row->isFile(path)) return *row;
    }
    return gaussiansIn3d();
}

ModelFile readModel(const std::filesystem::path& path) { return kindOfFile(path).read(path); }

}  // namespace splat
