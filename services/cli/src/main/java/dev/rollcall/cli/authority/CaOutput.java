package dev.rollcall.cli.authority;

import dev.rollcall.authority.Authority;
import dev.rollcall.authority.AuthorityException;
import dev.rollcall.authority.Issued;
import dev.rollcall.authority.KeyFile;
import dev.rollcall.authority.WholeFile;
import dev.rollcall.authority.WholeFile.Part;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Writes the files of a command: {@code key.pem}, {@code certificate.pem}, {@code ca.pem}. */
final class CaOutput {
  static final String KEY = "key.pem";
  static final String CERTIFICATE = "certificate.pem";
  static final String REQUEST = "request.csr";
  private static final String ROOT = "ca.pem";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Directory for the files (default: the current directory).")
  private Path directory = Path.of(".");

  @Option(names = "--overwrite", description = "Replace existing files.")
  private boolean overwrite;

  /** Of one holder of many: the run that failed goes on when it is repeated. */
  private boolean ofMany;

  boolean overwrites() {
    return overwrite;
  }

  /**
   * The files of one holder of many, in a directory of that name; what is written replaces them.
   */
  CaOutput below(String name) {
    var below = new CaOutput();
    below.directory = directory.resolve(name);
    below.overwrite = true;
    below.ofMany = true;
    return below;
  }

  Path file(String name) {
    return directory.resolve(name);
  }

  boolean has(String name) {
    return Files.exists(file(name));
  }

  /** Makes the directory; fails if a file would be written over unasked. */
  void prepare(List<String> names) throws IOException {
    Files.createDirectories(directory);
    for (String name : names) {
      if (!overwrite && Files.exists(directory.resolve(name))) {
        throw new FileAlreadyExistsException(directory.resolve(name).toString());
      }
    }
  }

  Part part(String name, byte[] content, String mode) {
    return new Part(directory.resolve(name), content, mode);
  }

  /** Writes all of them or none: a key that has lost its certificate is of no use to anybody. */
  List<Path> write(List<Part> parts) throws IOException {
    if (overwrite) {
      WholeFile.replaceAll(parts);
    } else {
      WholeFile.createAll(parts);
    }
    return parts.stream().map(Part::file).toList();
  }

  /** Likewise, for what {@link #write(Authority, Issued, Optional)} will write. */
  void prepare(Authority authority, boolean withKey) throws IOException, AuthorityException {
    prepare(withKey ? List.of(KEY, CERTIFICATE) : List.of(CERTIFICATE));
    if (Files.exists(directory.resolve(ROOT))) {
      authority.mustBeIn(directory.resolve(ROOT));
    }
  }

  /**
   * Writes what the holder needs. A {@code ca.pem} that is there stays, if it has this authority
   * among others.
   */
  List<Path> write(Authority authority, Issued issued, Optional<KeyPair> keys) throws IOException {
    var parts = new ArrayList<Part>();
    if (keys.isPresent()) {
      parts.add(part(KEY, KeyFile.pem(keys.get().getPrivate()), WholeFile.SECRET));
    }
    parts.add(part(CERTIFICATE, issued.pem(), WholeFile.PUBLIC));
    if (!Files.exists(directory.resolve(ROOT))) {
      parts.add(part(ROOT, Files.readAllBytes(authority.root()), WholeFile.PUBLIC));
    }
    try {
      return write(parts);
    } catch (IOException e) {
      if (ofMany) {
        throw e;
      }
      throw new IOException(
          "%s; the authority has issued certificate %s: 'rollcall ca renew %s' issues another"
              .formatted(e.getMessage(), issued.serial(), issued.serial()),
          e);
    }
  }
}
