package dev.rollcall.agent.login.file;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Path;

/** Programs of {@code services/pam/tests} that run the PAM module's own code. */
final class PamProgram {
  private static final Path PAM =
      Path.of(System.getProperty("rollcall.home"), "services", "pam").toAbsolutePath();

  private PamProgram() {}

  /** Builds one where it is not there, or old. */
  static Path built(String name) throws IOException, InterruptedException {
    Process make =
        new ProcessBuilder("make", "--silent", "-C", PAM.toString(), "target/" + name)
            .redirectErrorStream(true)
            .start();
    String said = new String(make.getInputStream().readAllBytes(), US_ASCII);
    if (make.waitFor() != 0) {
      throw new IOException("make target/" + name + ": " + said);
    }
    return PAM.resolve("target", name);
  }
}
