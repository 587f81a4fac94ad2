#pragma once

#include <stdexcept>

/// All errors of the library. Every function may throw Error and what is derived from it; a docstring names what a caller can cause. what() is one
/// sentence: where, what was found, what was expected. Other exceptions are passed on as they are: those of a caller's own callbacks, and
/// std::logic_error for a fault of the library itself, which should be reported.
namespace splatwright {

/// Base of all errors. Thrown itself for what is no fault of an argument: no Vulkan driver, a file that cannot be written, a full disk.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// An argument, a setting or the content of a file is not valid, or a member was called when it may not be. Nothing has changed.
class InputError : public Error {
public:
    using Error::Error;
};

/// Too little memory: on the device or for it, within DeviceOptions::memoryLimit or what one buffer may have, or on the host. A Renderer may be used
/// with smaller images or fewer splats; a Training has failed.
class OutOfMemory : public Error {
public:
    using Error::Error;
};

/// The GPU or its driver has stopped, and nothing on the device can be read any more. Destroy the Device and all that uses it, and make a new one;
/// a training continues from its last checkpoint.
class DeviceLost : public Error {
public:
    using Error::Error;
};

/// A training cannot continue: its loss or too many of its splats are not finite, or it has collapsed, also after a rollback. The message names the
/// step; lower learning rates help most.
class Diverged : public Error {
public:
    using Error::Error;
};

}  // namespace splatwright
