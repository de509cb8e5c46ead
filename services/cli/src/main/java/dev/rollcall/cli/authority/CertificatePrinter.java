package dev.rollcall.cli.authority;

import dev.rollcall.authority.Authority;
import dev.rollcall.authority.AuthorityException;
import dev.rollcall.authority.Issued;
import dev.rollcall.authority.Names;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Printing;
import dev.rollcall.cli.text.Table;
import java.io.IOException;
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
    return json(issued.names())
        .with("serial", issued.serial())
        .with("expires", issued.expires().toString())
        .with("state", state(issued, now))
        .with("revoked", issued.revokedAt().map(Instant::toString).orElse(null));
  }

  static JsonFields json(Issued issued, Instant now, List<Path> files) {
    return json(issued, now).with("files", files.stream().map(Path::toString).toList());
  }

  private static String state(Issued issued, Instant now) {
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

  /** Prints everything that was given away. Returns the status of success. */
  static int printAll(Printing printing, Authority authority)
      throws IOException, AuthorityException {
    Instant now = Instant.now();
    List<Issued> all = authority.issued();
    var table = new Table("ROLE", "NAME", "SERIAL", "EXPIRES", "STATE", "AT");
    for (Issued issued : all) {
      table.row(
          issued.names().role().word(),
          issued.names().name(),
          issued.serial(),
          day(issued.expires()),
          state(issued, now),
          String.join(" ", issued.names().addresses()));
    }
    JsonFields json =
        new JsonFields()
            .with("cluster", authority.cluster())
            .with("expires", authority.certificate().getNotAfter().toInstant().toString())
            .with("certificates", all.stream().map(one -> json(one, now)).toList());
    return printing.print(table, json);
  }

  static String day(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
