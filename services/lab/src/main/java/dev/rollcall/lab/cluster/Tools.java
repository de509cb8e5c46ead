package dev.rollcall.lab.cluster;

import dev.rollcall.testkit.process.RigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The programs that a cluster is made with, and the Debian packages that have them. */
final class Tools {
  private static final List<String> PLACES =
      List.of("/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/local/sbin", "/usr/local/bin");
  private static final Map<String, String> PACKAGES =
      Map.of(
          "sshd", "openssh-server",
          "ssh", "openssh-client",
          "ip", "iproute2",
          "nft", "nftables",
          "unshare", "util-linux",
          "curl", "curl",
          "openssl", "openssl",
          "hostname", "hostname",
          "perl", "perl-base");

  private Tools() {}

  /** Fails with the names of all that is missing, and not with the first that is needed. */
  static void check() {
    var missing = new TreeMap<>(PACKAGES);
    missing.keySet().removeIf(Tools::isHere);
    if (!missing.isEmpty()) {
      throw new RigException(
          "missing here: %s. Install the Debian packages %s"
              .formatted(missing.keySet(), String.join(" ", missing.values())));
    }
  }

  private static boolean isHere(String program) {
    return PLACES.stream().anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }
}
