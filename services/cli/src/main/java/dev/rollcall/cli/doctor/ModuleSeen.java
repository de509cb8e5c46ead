package dev.rollcall.cli.doctor;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The PAM module that sshd loads.
 *
 * @param isThere whether there is such a file
 * @param version as the file itself has it; absent: it has none
 * @param architecture for which it was built, as uname(1) names it; absent: it is no library
 */
public record ModuleSeen(
    Path file, boolean isThere, Optional<String> version, Optional<String> architecture) {}
