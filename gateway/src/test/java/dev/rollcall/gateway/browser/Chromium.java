package dev.rollcall.gateway.browser;

import com.google.gson.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A headless Chromium, which is gone when this is closed. Its shell without windows takes half of
 * the processor time of the whole browser, but reads no policies, and so shows no certificate.
 */
public final class Chromium implements AutoCloseable {
  /** A name that it takes for this machine. */
  public static final String OTHER_NAME = "gate.example";

  private static final Path SHELL = Path.of("/usr/bin/chromium-headless-shell");
  private static final Path BROWSER = Path.of("/usr/bin/chromium");
  private static final String LISTENS = "DevTools listening on ";

  private final Process process;
  private final Path profile;
  private final Devtools devtools;

  private Chromium(Process process, Path profile, Devtools devtools) {
    this.process = process;
    this.profile = profile;
    this.devtools = devtools;
  }

  /** Starts it; what is missing is named. */
  public static Chromium start() throws IOException {
    return start(Optional.empty());
  }

  /** Starts one that shows a certificate where it is asked for it. */
  public static Chromium with(ClientCertificate certificate) throws IOException {
    return start(Optional.of(certificate));
  }

  private static Chromium start(Optional<ClientCertificate> own) throws IOException {
    Path program = own.isPresent() ? BROWSER : SHELL;
    if (!Files.isExecutable(program)) {
      throw new IOException(
          program + " is not there: apt-get install " + program.getFileName().toString());
    }
    Path profile = Files.createTempDirectory("rollcall-chromium");
    var words = new ArrayList<String>(List.of(program.toString(), "--headless"));
    // Its own services are asked for nothing, and its sandbox does not begin for root: what it
    // shows here is of this source tree alone.
    words.addAll(
        List.of(
            "--no-first-run",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-extensions",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--lang=en-GB",
            "--host-resolver-rules=MAP " + OTHER_NAME + " 127.0.0.1",
            "--remote-debugging-port=0",
            "--user-data-dir=" + profile,
            "about:blank"));
    var builder =
        new ProcessBuilder(own.map(certificate -> certificate.around(words)).orElse(words))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("TZ", "UTC");
    own.ifPresent(certificate -> builder.environment().put("HOME", certificate.home().toString()));
    Process process = builder.start();
    try {
      return new Chromium(process, profile, Devtools.connect(address(process)));
    } catch (RuntimeException e) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw e;
    }
  }

  /** It says so on its standard error, which is read to the end so that it is never in its way. */
  private static URI address(Process process) {
    var found = new CompletableFuture<URI>();
    Thread.ofVirtual()
        .start(() -> {
          var said = new ArrayList<String>();
          try (BufferedReader lines = process.errorReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
              if (line.startsWith(LISTENS)) {
                found.complete(URI.create(line.substring(LISTENS.length())));
              }
              said.add(line);
            }
          } catch (IOException e) {
            said.add(e.toString());
          }
          found.completeExceptionally(new IOException("chromium ended: " + said));
        });
    return found.orTimeout(60, TimeUnit.SECONDS).join();
  }

  /** A page of its own, with no history and no cache of others. */
  public BrowserPage page() {
    JsonObject none = new JsonObject();
    String context =
        devtools
            .call(Optional.empty(), "Target.createBrowserContext", none)
            .get("browserContextId")
            .getAsString();
    JsonObject target = new JsonObject();
    target.addProperty("url", "about:blank");
    target.addProperty("browserContextId", context);
    String id =
        devtools
            .call(Optional.empty(), "Target.createTarget", target)
            .get("targetId")
            .getAsString();
    JsonObject attach = new JsonObject();
    attach.addProperty("targetId", id);
    attach.addProperty("flatten", true);
    String session =
        devtools
            .call(Optional.empty(), "Target.attachToTarget", attach)
            .get("sessionId")
            .getAsString();
    return new BrowserPage(devtools, session, context);
  }

  @Override
  public void close() throws IOException {
    devtools.close();
    List<ProcessHandle> all = process.descendants().toList();
    process.destroy();
    all.forEach(ProcessHandle::destroyForcibly);
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      for (ProcessHandle one : all) {
        one.onExit().orTimeout(10, TimeUnit.SECONDS).join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try (Stream<Path> files = Files.walk(profile)) {
      for (Path file : files.toList().reversed()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
