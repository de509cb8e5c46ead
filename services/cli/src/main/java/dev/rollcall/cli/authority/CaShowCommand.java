package dev.rollcall.cli.authority;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.rollcall.authority.Issued;
import dev.rollcall.authority.Request;
import dev.rollcall.cli.exit.ExitCode;
import dev.rollcall.cli.text.JsonFields;
import dev.rollcall.cli.text.Printing;
import dev.rollcall.cli.text.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tells what was issued, or what a file holds. */
@Command(
    name = "show",
    description = "Show all issued certificates, one certificate, or a request.")
final class CaShowCommand implements Callable<Integer> {
  @Mixin private final CaDirectory directory = new CaDirectory();
  @Mixin private final Printing printing = new Printing();

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = "A certificate's file or serial number, or a request (default: everything).")
  private @Nullable String what;

  @Override
  public Integer call() {
    String called = what;
    if (called == null) {
      everything();
    } else if (CaDirectory.named(() -> isRequest(Path.of(called)))) {
      request(Path.of(called));
    } else if (!directory.isAuthority() && Files.isRegularFile(Path.of(called))) {
      contents(Path.of(called));
    } else {
      directory.open(authority -> {
        Issued issued = authority.read(CaDirectory.file(authority, called));
        Instant now = Instant.now();
        printing.print(CertificatePrinter.text(issued, now), CertificatePrinter.json(issued, now));
        return ExitCode.OK;
      });
    }
    return ExitCode.OK.status();
  }

  private static boolean isRequest(Path file) throws java.io.IOException {
    return Files.isRegularFile(file)
        && Files.readString(file, ISO_8859_1).contains("-----BEGIN CERTIFICATE REQUEST-----");
  }

  private void request(Path file) {
    Request asked = CaDirectory.named(() -> Request.read(file));
    var json = CertificatePrinter.json(asked.names());
    json.put("fingerprint", asked.fingerprint());
    printing.print("%s: request %s".formatted(asked.names(), asked.fingerprint()), json);
  }

  /** On the machine of a node or a gateway, where no authority knows what it has revoked. */
  private void contents(Path file) {
    Issued issued = CaDirectory.named(() -> Issued.in(file));
    Instant now = Instant.now();
    JsonFields json = CertificatePrinter.json(issued, now).with("issuer", issued.issuer());
    printing.print(CertificatePrinter.text(issued, now) + ", by " + issued.issuer(), json);
  }

  private void everything() {
    directory.open(authority -> {
      Instant now = Instant.now();
      List<Issued> all = authority.issued();
      var table = new Table("ROLE", "NAME", "SERIAL", "EXPIRES", "STATE", "AT");
      for (Issued issued : all) {
        table.row(
            issued.names().role().word(),
            issued.names().name(),
            issued.serial(),
            CertificatePrinter.day(issued.expires()),
            CertificatePrinter.state(issued, now),
            String.join(" ", issued.names().addresses()));
      }
      JsonFields json =
          new JsonFields()
              .with("cluster", authority.cluster())
              .with("expires", authority.certificate().getNotAfter().toInstant().toString())
              .with(
                  "certificates",
                  all.stream().map(one -> CertificatePrinter.json(one, now)).toList());
      printing.print(table, json);
      return ExitCode.OK;
    });
  }
}
