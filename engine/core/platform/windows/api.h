#pragma once

// Windows' own header, without the macros that would be in the way of C++, and what its files here share.
#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
// After it, whose types it has.
#include <shellapi.h>

#include <string>
#include <string_view>
#include <system_error>

#include <splatwright/core/platform/file.h>

namespace splat::platform {

inline HANDLE handleOf(const File& file) { return reinterpret_cast<HANDLE>(file.handle()); }
inline File fileOf(HANDLE handle) { return File(reinterpret_cast<intptr_t>(handle)); }
inline std::error_code errorIf(bool failed) { return failed ? lastError() : std::error_code(); }

std::wstring wide(std::string_view utf8);
std::string utf8(std::wstring_view wide);

/// A word in quotes as programs read it back: a backslash counts as itself, unless it stands before a quotation mark.
std::wstring quoted(const std::wstring& word);

/// A text of the registry below HKEY_LOCAL_MACHINE; empty if there is none.
std::string registryText(const wchar_t* key, const wchar_t* name);

/// A function of ntdll.dll, which has no header; null if this Windows has none of the name.
template <class Function>
Function* systemFunction(const char* name) {
    return reinterpret_cast<Function*>(reinterpret_cast<void*>(GetProcAddress(GetModuleHandleW(L"ntdll.dll"), name)));
}

/// Name of the event that asks a process with StopRequests to end.
std::wstring stopEventOf(unsigned long process);

/// Acts as if somebody asked this process to save what it has and to end.
void stopThisProcess();

}  // namespace splat::platform
