# The tests that are built as programs for Windows so far; the rest comes folder by folder.
splat_test(scene splat_scene splat_reference)
splat_test(reference splat_reference)
