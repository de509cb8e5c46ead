package dev.rollcall.lab.packages;

import dev.rollcall.lab.tree.SourceTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Repositories for apt and dnf of the packages, signed by a key that was made for them.
 *
 * @param folder of both repositories and the public key
 * @param home gpg's, with the secret key
 */
record SignedRepository(Path folder, Path home) implements AutoCloseable {
  static final String KEY = "packages@example.org";
  private static final String SCRIPT =
      SourceTree.DEPLOY.resolve("packages/repository").toAbsolutePath().toString();

  /** Makes a key and the repositories below a folder. */
  static SignedRepository make(Path below, Packages packages) throws IOException {
    var made = new SignedRepository(below.resolve("repository"), key(below.resolve("gpg")));
    made.script("--key", KEY, packages.folder().toString(), made.folder.toString())
        .orThrow(List.of(SCRIPT));
    return made;
  }

  /** A new key, in a folder that only gpg uses. */
  private static Path key(Path home) throws IOException {
    Files.createDirectory(
        home, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    var words =
        List.of(
            "gpg",
            "--batch",
            "--quiet",
            "--passphrase",
            "",
            "--quick-generate-key",
            KEY,
            "rsa3072",
            "sign",
            "never");
    Command.run(Path.of("."), Map.of("GNUPGHOME", home.toString()), words.toArray(String[]::new))
        .orThrow(words);
    return home;
  }

  /** Runs deploy/packages/repository with this key's home. */
  Command.Ran script(String... words) {
    String[] command = Stream.concat(Stream.of(SCRIPT), Stream.of(words)).toArray(String[]::new);
    return Command.run(Path.of("."), Map.of("GNUPGHOME", home.toString()), command);
  }

  /** A copy in which a part of one file is another text of the same length. */
  Path changed(Path copy, String file, String part, String by) throws IOException {
    String text = Files.readString(folder.resolve(file));
    return with(copy, file, text.replace(part, by).getBytes(StandardCharsets.UTF_8));
  }

  /** A copy in which one byte of a file is another. */
  Path damaged(Path copy, String file) throws IOException {
    byte[] bytes = Files.readAllBytes(folder.resolve(file));
    bytes[bytes.length / 2] ^= 1;
    return with(copy, file, bytes);
  }

  /** Files are linked, so the changed one is made anew. */
  private Path with(Path copy, String file, byte[] bytes) throws IOException {
    Command.say("cp", "-rl", folder.toString(), copy.toString());
    Files.delete(copy.resolve(file));
    Files.write(copy.resolve(file), bytes);
    return copy;
  }

  /** Ends gpg's agent of this key. */
  @Override
  public void close() {
    Command.run(
        Path.of("."), Map.of("GNUPGHOME", home.toString()), "gpgconf", "--kill", "gpg-agent");
  }
}
