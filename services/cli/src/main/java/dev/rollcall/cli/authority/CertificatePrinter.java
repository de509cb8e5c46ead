package dev.rollcall.cli.authority;

import dev.rollcall.authority.Issued;
import dev.rollcall.authority.Names;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Printing;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/** Prints names and certificates, as text and JSON. */
final class CertificatePrinter {
  private CertificatePrinter() {}

  static JsonFields json(Names names) {
    return new JsonFields()
        .with("cluster", names.cluster())
        .with("role", names.role().word())
        .with("name", names.name())
        .with("ports", List.copyOf(names.ports()))
        .with("addresses", List.copyOf(names.addresses()))
        .with("hosts", List.copyOf(names.hosts()));
  }

  static JsonFields json(Issued issued, Instant now) {
    var json = json(issued.names());
    json.put("serial", issued.serial());
    json.put("expires", issued.expires().toString());
    json.put("state", state(issued, now));
    json.put("revoked", issued.revokedAt().map(Instant::toString).orElse(null));
    return json;
  }

  static JsonFields json(Issued issued, Instant now, List<Path> files) {
    var json = json(issued, now);
    json.put("files", files.stream().map(Path::toString).toList());
    return json;
  }

  static String state(Issued issued, Instant now) {
    return issued.state(now).name().toLowerCase(Locale.ROOT);
  }

  /** One line. */
  static String text(Issued issued, Instant now) {
    return "%s: certificate %s, %s, until %s"
        .formatted(issued.names(), issued.serial(), state(issued, now), day(issued.expires()));
  }

  static String text(Issued issued, Instant now, List<Path> files) {
    var text = new StringBuilder(text(issued, now));
    files.forEach(file -> text.append(System.lineSeparator()).append("wrote ").append(file));
    return text.toString();
  }

  /** Prints a certificate and the files that were written. Returns the status of success. */
  static int print(Printing printing, Issued issued, List<Path> files) {
    Instant now = Instant.now();
    return printing.print(text(issued, now, files), json(issued, now, files));
  }

  static String day(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
