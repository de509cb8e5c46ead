package dev.rollcall.cli.authority;

import dev.rollcall.authority.Issued;
import dev.rollcall.authority.Names;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints names and certificates, as text and JSON. */
final class CertificatePrinter {
  private CertificatePrinter() {}

  static Map<String, @Nullable Object> json(Names names) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("cluster", names.cluster());
    json.put("role", names.role().word());
    json.put("name", names.name());
    json.put("ports", List.copyOf(names.ports()));
    json.put("addresses", List.copyOf(names.addresses()));
    json.put("hosts", List.copyOf(names.hosts()));
    return json;
  }

  static Map<String, @Nullable Object> json(Issued issued, Instant now) {
    var json = json(issued.names());
    json.put("serial", issued.serial());
    json.put("expires", issued.expires().toString());
    json.put("state", state(issued, now));
    json.put("revoked", issued.revokedAt().map(Instant::toString).orElse(null));
    return json;
  }

  static Map<String, @Nullable Object> json(Issued issued, Instant now, List<Path> files) {
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

  static String day(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
