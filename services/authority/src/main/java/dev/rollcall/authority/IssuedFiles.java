package dev.rollcall.authority;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The certificates that were given away, a file each, by serial number in hex. */
final class IssuedFiles {
  private final Path directory;
  private final Revocations revocations;

  /** All of them; null before they are needed, and when some was revoked. */
  private @Nullable List<Issued> known;

  IssuedFiles(Path directory, Revocations revocations) {
    this.directory = directory;
    this.revocations = revocations;
  }

  void add(Issued issued) throws IOException, AuthorityException {
    WholeFile.createNew(
        List.of(new WholeFile.Part(file(issued.serial()), issued.pem(), WholeFile.PUBLIC)));
    if (known != null) {
      known.add(issued);
    }
  }

  private Path file(String serial) {
    return directory.resolve(serial + ".pem");
  }

  /**
   * The file of one.
   *
   * @throws AuthorityException if there is none
   */
  Path numbered(String serial) throws AuthorityException {
    String hex = serial.matches("[0-9a-fA-F]{1,40}") ? new BigInteger(serial, 16).toString(16) : "";
    if (hex.isEmpty() || !Files.exists(file(hex))) {
      throw new AuthorityException(
          "there is no certificate '" + serial + "' in " + directory.getParent());
    }
    return file(hex);
  }

  Issued read(String serial) throws IOException, AuthorityException {
    return in(numbered(serial));
  }

  /** The certificate in a file, which may be elsewhere. */
  Issued in(Path file) throws IOException, AuthorityException {
    return read(file, revocations.read());
  }

  private static Issued read(Path file, X509CRL list) throws IOException, AuthorityException {
    X509Certificate found = Issued.read(file);
    return new Issued(found, Issued.names(found, file), Revocations.of(list, found));
  }

  /**
   * All of them, without a look at the files each time: nobody else adds any while the authority is
   * open.
   */
  List<Issued> known() throws IOException, AuthorityException {
    List<Issued> all = known == null ? new ArrayList<>(read()) : known;
    known = all;
    return all;
  }

  /** One was revoked: what is known of it is read anew. */
  void changed() {
    known = null;
  }

  /** All of them as their files say now, by role, name and end. */
  List<Issued> read() throws IOException, AuthorityException {
    X509CRL list = revocations.read();
    var all = new ArrayList<Issued>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".pem")).toList()) {
        all.add(read(file, list));
      }
    }
    all.sort(
        Comparator.comparing((Issued one) -> one.names().role())
            .thenComparing(one -> one.names().name())
            .thenComparing(Issued::expires));
    return List.copyOf(all);
  }
}
