package dev.rollcall.authority;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The real openssl, which reads what we wrote. */
record OpenSsl(int status, String said) {
  static OpenSsl run(Object... words) throws IOException, InterruptedException {
    var argv = new ArrayList<>(List.of("openssl"));
    for (Object word : words) {
      argv.add(word.toString());
    }
    Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("openssl hangs: " + argv);
    }
    return new OpenSsl(process.exitValue(), said);
  }
}
