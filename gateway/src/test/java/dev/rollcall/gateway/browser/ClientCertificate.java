package dev.rollcall.gateway.browser;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What an administrator imports into a browser: their certificate and the cluster's authority. That
 * the browser shows the certificate without asking is a policy, which it reads from {@code
 * /etc/chromium}: that is another folder in a mount namespace of its own, so this needs root.
 */
public final class ClientCertificate {
  private static final String IN_A_NAMESPACE = "mount --bind \"$0\" /etc/chromium && exec \"$@\"";

  private final Path home;
  private final Path policies;

  /**
   * @param folder for a home of the browser's own
   * @param address of those to whom it is shown, as {@code https://127.0.0.1}
   */
  public ClientCertificate(Path folder, Path authority, Path certificate, Path key, String address)
      throws Exception {
    home = folder.resolve("home");
    policies = folder.resolve("policies");
    Path database = Files.createDirectories(home.resolve(".pki/nssdb"));
    Path managed = Files.createDirectories(policies.resolve("policies/managed"));
    Files.writeString(
        managed.resolve("certificate.json"),
        """
        {"AutoSelectCertificateForUrls": ["{\\"pattern\\": \\"%s\\", \\"filter\\": {}}"]}
        """
            .formatted(address));
    String both = folder.resolve("own.p12").toString();
    run(
        "openssl",
        "pkcs12",
        "-export",
        "-name",
        "own",
        "-passout",
        "pass:x",
        "-out",
        both,
        "-in",
        certificate.toString(),
        "-inkey",
        key.toString());
    String here = "sql:" + database;
    run("certutil", "-N", "-d", here, "--empty-password");
    run("certutil", "-A", "-d", here, "-n", "ca", "-t", "CT,C,", "-i", authority.toString());
    run("pk12util", "-d", here, "-i", both, "-W", "x", "-K", "");
  }

  private static void run(String... words) throws Exception {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", words) + ": " + said);
    }
  }

  List<String> around(List<String> browser) {
    var words =
        new ArrayList<>(
            List.of("unshare", "--mount", "sh", "-c", IN_A_NAMESPACE, policies.toString()));
    words.addAll(browser);
    return words;
  }

  Path home() {
    return home;
  }
}
