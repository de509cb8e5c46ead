package dev.rollcall.cli.doctor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the file of a PAM module, and reads the version that ours tells in it. */
record ModuleFile(Path root) {
  private static final long LARGEST = 16L << 20;
  private static final String ELF = "\u007fELF";
  private static final byte ELFDATA2LSB = 1;
  private static final Pattern MARK = Pattern.compile("@\\(#\\)pam_rollcall ([!-~]{1,64})\0");

  /** Where libpam looks on one distribution or another. */
  private static final List<String> FOLDERS =
      List.of("usr/lib64/security", "lib64/security", "usr/lib/security", "lib/security");

  /** Of our line; libpam looks in a folder of its own if the line names none. */
  ModuleSeen read(PamLine ours) throws IOException {
    Path file = file(ours);
    if (Files.notExists(file)) {
      return new ModuleSeen(file, false, Optional.empty(), Optional.empty());
    }
    if (Files.size(file) > LARGEST) {
      throw new IOException(file + " is too large for a PAM module");
    }
    byte[] bytes = Files.readAllBytes(file);
    Matcher mark = MARK.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
    return new ModuleSeen(
        file,
        true,
        mark.find() ? Optional.of(mark.group(1)) : Optional.empty(),
        architecture(bytes));
  }

  /** Of elf(5)'s header: 5 EI_DATA, 18 e_machine. */
  private static Optional<String> architecture(byte[] bytes) {
    if (bytes.length < 20 || !new String(bytes, 0, 4, StandardCharsets.ISO_8859_1).equals(ELF)) {
      return Optional.empty();
    }
    ByteOrder order = bytes[5] == ELFDATA2LSB ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    int machine = ByteBuffer.wrap(bytes).order(order).getChar(18);
    return Optional.of(
        switch (machine) {
          case 62 -> "x86_64";
          case 183 -> "aarch64";
          default -> "machine " + machine + " of elf.h";
        });
  }

  private Path file(PamLine ours) throws IOException {
    if (ours.folder().startsWith("/")) {
      return root.resolve((ours.folder() + ours.module()).substring(1));
    }
    return folders().stream()
        .map(folder -> folder.resolve(ours.folder()).resolve(ours.module()))
        .filter(Files::exists)
        .findFirst()
        .orElseGet(() -> Path.of(ours.module()));
  }

  private List<Path> folders() throws IOException {
    List<Path> folders = new ArrayList<>();
    FOLDERS.forEach(folder -> folders.add(root.resolve(folder)));
    for (String libraries : List.of("usr/lib", "lib")) {
      Path folder = root.resolve(libraries);
      if (Files.isDirectory(folder)) {
        try (DirectoryStream<Path> each = Files.newDirectoryStream(folder, "*-linux-gnu*")) {
          each.forEach(architecture -> folders.add(architecture.resolve("security")));
        }
      }
    }
    return folders;
  }
}
