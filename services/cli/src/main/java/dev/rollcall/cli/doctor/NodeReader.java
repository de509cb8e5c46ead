package dev.rollcall.cli.doctor;

import dev.rollcall.cli.ask.TimeLimit;
import dev.rollcall.linux.KernelText;
import dev.rollcall.settings.BadConfigException;
import dev.rollcall.settings.MetricsPlace;
import dev.rollcall.wire.tls.TlsFiles;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Reads a node. What cannot be read says why.
 *
 * @param root {@code /}, or a directory that looks like it
 */
public record NodeReader(Path root) {
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final int MODE_BITS = 07777;

  /** sshd is run for each. */
  private static final int MOST_BLOCKS = 50;

  private static <T> Seen<T> seen(String what, Callable<T> read) {
    try {
      return new Seen.Got<>(read.call());
    } catch (NoSuchFileException e) {
      return new Seen.Not<>(what + ": there is no " + e.getFile());
    } catch (AccessDeniedException e) {
      return new Seen.Not<>(what + ": no permission to read " + e.getFile());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Seen.Not<>(what + ": interrupted");
    } catch (Exception e) {
      return new Seen.Not<>(what + ": " + e.getMessage());
    }
  }

  /** The stack of the files that libpam reads. */
  public Seen<List<PamLine>> pam() {
    return seen(
        "sshd's PAM stack",
        () -> {
          String own = read(pamFile("sshd"));
          return PamLine.stack(
              "sshd", name -> name.equals("sshd") ? Optional.of(own) : text(pamFile(name)));
        });
  }

  /** A distribution's own file counts where the administrator has none, pam.conf(5). */
  private Path pamFile(String name) {
    Path own = root.resolve("etc/pam.d").resolve(name);
    Path distribution = root.resolve("usr/lib/pam.d").resolve(name);
    return Files.notExists(own) && Files.exists(distribution) ? distribution : own;
  }

  /** Of our lines that decide something: of the first whose file cannot be loaded, or the first. */
  public Seen<ModuleSeen> module(List<PamLine> stack) {
    return seen(
        "the version of pam_rollcall.so",
        () -> {
          List<ModuleSeen> modules = new ArrayList<>();
          for (PamLine line : stack.stream().filter(PamLine::isOurs).toList()) {
            modules.add(new ModuleFile(root).read(line));
          }
          return modules.stream()
              .min(Comparator.comparing(module -> module.architecture().isPresent()))
              .orElseThrow(() -> new IOException("it is not in sshd's stack"));
        });
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  /** Empty if there is no such file: libpam skips it, too, and logs that. */
  private static Optional<String> text(Path file) {
    try {
      return Optional.of(read(file));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read", e);
    }
  }

  /**
   * For somebody of whom nothing is said: some Match blocks let sshd tell nothing without an
   * example.
   */
  public Seen<List<String>> sshd() {
    return sshd(MatchBlocks.anybody());
  }

  /** What is in force for examples of those for whom there are Match blocks. */
  public Seen<List<MatchSeen>> matches() {
    var blocks = new MatchBlocks(root);
    return seen(
        "Match blocks of sshd_config",
        () ->
            blocks.all().stream()
                .limit(MOST_BLOCKS)
                .map(block ->
                    new MatchSeen(
                        block.where(),
                        block.criteria(),
                        blocks.example(block.criteria()).then(NodeReader::sshd)))
                .toList());
  }

  /** Root alone may: sshd reads its keys for it. */
  private static Seen<List<String>> sshd(String example) {
    return seen(
        "sshd -T -C " + example,
        () ->
            TimeLimit.run(List.of("/usr/sbin/sshd", "-T", "-C", example), PATIENCE)
                .lines()
                .toList());
  }

  /** By logind itself: distributions compile in different defaults. */
  public static Seen<String> removeIpc() {
    String name = "org.freedesktop.login1";
    return seen(
        "RemoveIPC of logind",
        () ->
            TimeLimit.run(
                List.of(
                    "busctl",
                    "get-property",
                    name,
                    "/org/freedesktop/login1",
                    name + ".Manager",
                    "RemoveIPC"),
                PATIENCE));
  }

  /** Of both names that distributions have for it. */
  public static Seen<List<String>> sshdUnit() {
    return seen(
        "sshd's unit",
        () ->
            TimeLimit.run(
                    List.of("systemctl", "show", "-p", "OOMScoreAdjust", "ssh", "sshd"), PATIENCE)
                .lines()
                .toList());
  }

  public Seen<List<String>> mounts() {
    return seen("mounts", () -> KernelText.lines(root.resolve("proc/self/mounts")));
  }

  /** Where the first v2 hierarchy is mounted. */
  public Seen<String> controllers() {
    return seen(
        "controllers of cgroup v2",
        () -> {
          String point =
              KernelText.lines(root.resolve("proc/self/mounts")).stream()
                  .map(line -> line.split(" ", -1))
                  .filter(words -> words[2].equals("cgroup2"))
                  .map(words -> words[1])
                  .findFirst()
                  .orElseThrow(() -> new IOException("it is not mounted"));
          return Files.readString(root.resolve(point.substring(1)).resolve("cgroup.controllers"));
        });
  }

  /** The settings of the agent whose configuration FILE is. */
  public static Seen<AgentSettings> settings(Path file) {
    try {
      return new Seen.Got<>(AgentSettings.read(file));
    } catch (BadConfigException e) {
      return new Seen.Not<>(e.getMessage() + "; --config names the agent's configuration");
    }
  }

  /**
   * By the agent's page about its stages.
   *
   * @param node its own TLS files, if it has any
   */
  public static Seen<AgentSeen> agent(MetricsPlace metrics, Optional<TlsFiles> node) {
    return seen(
        "the agent's state at " + metrics + ", /health/ready",
        () -> agent(new JsonObject(ReadyPage.of(metrics, node))));
  }

  static AgentSeen agent(JsonObject report) {
    Map<String, AgentSeen.Stage> stages = new HashMap<>();
    JsonArray told = report.getJsonArray("stages", new JsonArray());
    for (int i = 0; i < told.size(); i++) {
      JsonObject stage = told.getJsonObject(i);
      stages.put(
          stage.getString("stage", ""),
          new AgentSeen.Stage(
              stage.getBoolean("well", false), stage.getString("detail", "says nothing")));
    }
    return new AgentSeen(report.getBoolean("ready", false), stages);
  }

  public static FileSeen file(Path path) {
    try {
      return new FileSeen.There(
          path, attribute(path, "unix:uid"), attribute(path, "unix:mode") & MODE_BITS);
    } catch (NoSuchFileException e) {
      return new FileSeen.Missing(path);
    } catch (IOException e) {
      return new FileSeen.Unreadable(path, String.valueOf(e.getMessage()));
    }
  }

  private static int attribute(Path path, String name) throws IOException {
    Object value = Files.getAttribute(path, name, LinkOption.NOFOLLOW_LINKS);
    if (!(value instanceof Integer number)) {
      throw new IOException(path + " has no " + name);
    }
    return number;
  }

  public static FileSeen certificate(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      var first = (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
      return new FileSeen.Certificate(path, first.getNotAfter().toInstant());
    } catch (NoSuchFileException e) {
      return new FileSeen.Missing(path);
    } catch (IOException | CertificateException e) {
      return new FileSeen.Unreadable(path, String.valueOf(e.getMessage()));
    }
  }

  public Seen<List<String>> lingering() {
    Path folder = root.resolve("var/lib/systemd/linger");
    if (Files.notExists(folder)) {
      return new Seen.Got<>(List.of());
    }
    return seen(
        "users that linger",
        () -> {
          try (Stream<Path> users = Files.list(folder)) {
            return users.map(user -> user.getFileName().toString()).toList();
          }
        });
  }
}
