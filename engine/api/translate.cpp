#include <splatwright/api/translate.h>

#include <filesystem>
#include <new>

#include <splatwright/core/error.h>
#include <splatwright/error.h>
#include <splatwright/gpu/check.h>
#include <splatwright/train/model/step_report.h>

namespace splatwright {

void throwTranslated() {
    try {
        throw;
    } catch (const splat::gpu::DeviceLost& problem) {
        throw DeviceLost(problem.what());
    } catch (const splat::gpu::OutOfMemory& problem) {
        throw OutOfMemory(problem.what());
    } catch (const splat::Diverged& problem) {
        throw Diverged(problem.what());
    } catch (const splat::InputError& problem) {
        throw InputError(problem.what());
    } catch (const splat::Error& problem) {
        throw Error(problem.what());
    } catch (const std::filesystem::filesystem_error& problem) {
        throw Error(problem.what());
    } catch (const std::bad_alloc&) {
        throw OutOfMemory("too little memory on the host");
    }
}

}  // namespace splatwright
