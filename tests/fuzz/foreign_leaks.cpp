/// Memory that libraries keep of damaged pictures (dav1d 1.0) and after encoding (x265 3.5): no findings about this project.
extern "C" const char* __lsan_default_suppressions() { return "leak:libdav1d\nleak:libx265\n"; }  // NOLINT: the sanitizer's name
