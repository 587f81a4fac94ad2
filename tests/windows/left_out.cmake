# What the tests as programs for Windows are without, with its reason. cmake/windows/test.py prints it.
set(SPLAT_LEFT_OUT)          # sources, absolute
set(SPLAT_LEFT_OUT_BY_NAME)  # patterns of tests
set(lines)

# splat_leave_out(reason what...): sources as FOLDER/FILE.cpp or, of a whole folder, FOLDER/*_test.cpp, tests as GoogleTest's patterns.
macro(splat_leave_out reason)
  foreach(what ${ARGN})
    if(what MATCHES "/.*\\.cpp$")
      file(GLOB found ${CMAKE_CURRENT_SOURCE_DIR}/${what})
      if(NOT found)
        message(FATAL_ERROR "tests/windows/left_out.cmake: there is no ${what}")
      endif()
      list(APPEND SPLAT_LEFT_OUT ${found})
    else()
      list(APPEND SPLAT_LEFT_OUT_BY_NAME ${what})
    endif()
    string(APPEND lines "${what}: ${reason}\n")
  endforeach()
endmacro()

splat_leave_out("POSIX alone: FIFOs, sockets, devices, permissions, links, limits of a process"
  core/atomic_file_test.cpp core/input_file_test.cpp cli/failure_test.cpp cli/output_test.cpp cli/hostile_input_test.cpp
  CheckpointFile.FailedWriteLeavesTheOldOneAndNothingElse CheckpointFile.WriterTellsOfAFailureOnce
  Report.LogLinesThatAFullDiskCannotTakeFollowWhenItCan)
splat_leave_out("POSIX alone: signals, processes that are stopped and killed"
  core/child_process_test.cpp cli/bench_train_test.cpp cli/lock_test.cpp cli/resume_test.cpp cli/signals_test.cpp
  cli/viewer_recovery_test.cpp)
splat_leave_out("POSIX alone: page faults of this process" core/memory_test.cpp)
splat_leave_out("needs libheif, libtiff, LibRaw, Little CMS or OpenEXR, which the program for Windows is without"
  scene/exr_writer_test.cpp scene/float_tiff_test.cpp scene/hdr_pictures_test.cpp scene/ink_profiles_test.cpp scene/orientation_test.cpp
  scene/photograph_formats_test.cpp scene/raw_shots_test.cpp cli/render_values_test.cpp)
splat_leave_out("shell scripts take the place of ffmpeg, COLMAP and zenity"
  prepare/*_test.cpp scene/film_writer_test.cpp cli/render_film_test.cpp cli/prepare_test.cpp cli/viewer_preparing_test.cpp
  cli/viewer_dialogs_test.cpp)
splat_leave_out("the engine as a library for other programs is made with tools for ELF" api/*_test.cpp)
splat_leave_out("RenderDoc has not been tried on Windows" capture/*_test.cpp)
splat_leave_out("all tests are without these libraries there" without_libraries/*_test.cpp)
splat_leave_out("runs Python or a Slang compiler, which only a development machine has"
  train/lpips_weights_test.cpp gpu/reload_test.cpp cli/readme_test.cpp Shaders/EditedShader.*
  Change.EditedKernelsRunFromTheNextStepOn)
splat_leave_out("a driver that is not there, by a variable of the loader on Linux" cli/device_test.cpp)
splat_leave_out("an environment without a display, which Windows does not have" Viewer.WithoutADisplayItSaysSo
  TrainView.SaysWhatIsWrongBeforeThereIsAWindow)
splat_leave_out("scales of desktops are no property of a screen on Windows" WindowLooks.TheDesktopsDotsPerInchScaleThePanels)
splat_leave_out("Windows keeps windows wider than their buttons" Window.ShowsTheSplatsAtEverySizeThatItIsGiven)
splat_leave_out("Windows keeps to the least size that the window asks for, 640x400; X without a window manager does not"
  Window.FollowsAHandThatPullsAtItsFrame ViewerPictures.AFittedPictureFillsTheViewAndPansInsteadOfTurning)
splat_leave_out("two drivers are chosen by a variable of the loader on Linux" Window.OpensOnTheSecondDeviceToo)
splat_leave_out("Wine 8 does not hand dropped files from one process to another"
  Window.OpensWhatIsDroppedOnIt Closing.EndsWhileAFileIsRead ViewerLeaving.AProblemTooLongForTheStatusBarOpensInFull)
splat_leave_out("names that Windows does not have: bytes that are not UTF-8, line breaks, quotation marks"
  ImageNames.AreBytesThatBecomeText ImageNames.OfMasksAreTheSameBytes BlobFile.FilesHaveAnyNameAndAreReplacedWhole
  WrittenPage.IsNamedLikeItsFileWhateverTheName Keys.EnterOpensAFileWhoseNameIsNoText cli/names_test.cpp)
splat_leave_out("symbolic links, which Wine 8 does not have and Windows lets few users make"
  ImageNames.FollowSymbolicLinksThatTheDatasetHas SharedData.FoxsTwoDescriptionsHaveTheSameRelativePoses)
splat_leave_out("what a running program has printed is in a file on POSIX alone" ViewServe.PrintsItsAddressAndEndsWhenItIsInterrupted)
splat_leave_out("a POSIX shell reads the words back" ShellQuoted.AShellReadsTheSameTextBack)
splat_leave_out("Windows keeps the highest memory of a process, so that of a second action is not known"
  SplatBlocks.AreNotInMemoryAllAtOnce)
splat_leave_out("Windows counts the processor time of a thread in steps of 15.6 ms" Trainer.RestoringRestartsAllCosts)
splat_leave_out("Wine 8 cannot replace a file that is open; Windows 10 can on its own file system" Files.AreReplacedWhileTheyAreRead)

file(WRITE ${PROJECT_BINARY_DIR}/left_out.txt "${lines}")
