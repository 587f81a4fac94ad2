#include <splatwright/core/platform/machine.h>

#include <array>
#include <filesystem>

#include <fmt/format.h>

#include <splatwright/core/platform/windows/api.h>

namespace splat::platform {

int64_t thisProcess() { return GetCurrentProcessId(); }

std::optional<uint64_t> startOfProcess(int64_t id) {
    const HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE, FALSE, static_cast<DWORD>(id));
    if (!process) return std::nullopt;
    const File closer = fileOf(process);
    FILETIME started, ended, kernel, user;
    const bool runs = WaitForSingleObject(process, 0) == WAIT_TIMEOUT;  // a process is there as long as somebody has its handle
    if (!runs || !GetProcessTimes(process, &started, &ended, &kernel, &user)) return std::nullopt;
    return uint64_t{started.dwHighDateTime} << 32u | started.dwLowDateTime;
}

std::string hostName() {
    std::array<wchar_t, 256> name{};
    auto words = static_cast<DWORD>(name.size());
    return GetComputerNameExW(ComputerNameDnsHostname, name.data(), &words) ? utf8(name.data()) : std::string();
}

/// Windows gives processes absolute start times, so the machine is enough.
std::string bootId() { return registryText(L"SOFTWARE\\Microsoft\\Cryptography", L"MachineGuid"); }

std::string processorName() {
    std::string name = registryText(L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0", L"ProcessorNameString");
    return name.empty() ? "x86_64" : name;
}

std::string systemName() {
    OSVERSIONINFOW version{};
    version.dwOSVersionInfoSize = sizeof(version);
    // Unlike GetVersionEx(), it does not depend on what a program's manifest knows.
    if (auto* ask = systemFunction<LONG WINAPI(OSVERSIONINFOW*)>("RtlGetVersion")) ask(&version);
    return fmt::format("Windows {}.{}.{}", version.dwMajorVersion, version.dwMinorVersion, version.dwBuildNumber);
}

uint64_t physicalMemory() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof(status);
    GlobalMemoryStatusEx(&status);
    return status.ullTotalPhys;
}

bool hasCudaDriver() {
    std::array<wchar_t, MAX_PATH> folder{};
    GetSystemDirectoryW(folder.data(), static_cast<UINT>(folder.size()));
    std::error_code ignored;
    return std::filesystem::exists(std::filesystem::path(folder.data()) / "nvcuda.dll", ignored);
}

}  // namespace splat::platform
