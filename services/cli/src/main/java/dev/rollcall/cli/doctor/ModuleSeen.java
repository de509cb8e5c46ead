package dev.rollcall.cli.doctor;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The PAM module that sshd loads.
 *
 * @param version as the file itself has it; absent: it has none
 */
public record ModuleSeen(Path file, Optional<String> version) {}
