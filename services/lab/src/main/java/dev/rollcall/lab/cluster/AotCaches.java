package dev.rollcall.lab.cluster;

import dev.rollcall.testkit.process.RigException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * AOT caches (JEP 514) of a distribution's programs, one file a program, which spare two thirds of
 * the CPU time of an agent's start; those of the packages spare less (docs/adr/0035). Tests use
 * them if the property {@code rollcall.aot_caches} names a folder. They are made once for each
 * build, by a small cluster that starts and stops. A JVM ignores a cache of other jars.
 *
 * @param flag the JVM's flag that reads or writes a cache
 */
public record AotCaches(Path folder, String flag) {
  private static final String READ = "-XX:AOTCache=";
  private static final String WRITE = "-XX:AOTCacheOutput=";

  /**
   * A test's agent runs for seconds, so that what is compiled early is not used: a fifth of the CPU
   * time of its start.
   */
  private static final String COMPILES_LESS =
      " -XX:+UnlockDiagnosticVMOptions -XX:-AOTReplayTraining -XX:CompileThresholdScaling=3";

  /**
   * With linked classes JDK 25 would keep code for the processor that it runs on, and load it on
   * another one, where the program ends by SIGILL. The packages have the same options.
   */
  static final String NO_CODE =
      " -XX:+UnlockDiagnosticVMOptions -XX:-AOTAdapterCaching -XX:-AOTStubCaching";

  /** Users run the command, too. */
  private static final FileAttribute<Set<PosixFilePermission>> FOR_USERS =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));

  /** Whose agent writes the agents' cache. */
  private static final NodeAddress WRITER = NodeAddress.NODE2;

  private static final List<String> PROGRAMS = List.of("agent", "gateway", "cli");

  /**
   * The caches of a distribution, made if there are none; absent without the property, or if the
   * distribution has its own.
   */
  public static synchronized Optional<AotCaches> of(Path distribution) {
    return Optional.ofNullable(System.getProperty("rollcall.aot_caches"))
        .filter(_ -> !Files.exists(distribution.resolve("jre")))
        .map(folder -> kept(Path.of(folder), distribution));
  }

  private static AotCaches kept(Path all, Path distribution) {
    // Of several JVMs with clusters the first makes them.
    Path lock = all.resolveSibling(all.getFileName() + ".lock");
    try (var file = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = file.lock()) {
      Path folder = all.resolve(key(distribution));
      if (!Files.isDirectory(folder)) {
        deleteAll(all); // of other builds
        Path draft = Files.createTempDirectory(Files.createDirectories(all), "draft", FOR_USERS);
        make(draft, distribution).moveTo(folder);
      }
      return new AotCaches(folder, READ);
    } catch (IOException e) {
      throw new RigException("cannot keep AOT caches in " + all, e);
    }
  }

  private static AotCaches make(Path draft, Path distribution) {
    var written = new AotCaches(draft, WRITE);
    var setup = ClusterSetup.of(distribution).withShape(new ClusterShape(2, 1)).withCaches(written);
    try (var cluster = TestCluster.start(setup)) {
      useAgents(cluster, distribution);
      cluster.asAdministrator("nodes").outOrThrow("rollcall nodes");
      // A JVM writes it when it is asked to end.
      cluster.agent(NodeAddress.LOGIN).kill();
      cluster.agent(NodeAddress.NODE1).kill();
      cluster.agent(WRITER).stop();
      cluster.gateway().stop();
      for (String program : PROGRAMS) {
        if (!Files.isRegularFile(written.file(program))) {
          System.err.println(program + " wrote no AOT cache: its starts take longer");
          System.err.println(cluster.logs());
        }
      }
    }
    return written;
  }

  /**
   * Has agents do what they do in tests: jobs begin and end, and sessions of jobs call and log in.
   * At the first time an agent loads a thousand classes for it. The results do not matter. These
   * commands are the program in C, because a JVM would write a cache of its own each time.
   */
  private static void useAgents(TestCluster cluster, Path distribution) {
    String rollcall = distribution.resolve("bin/rollcall").toString();
    List<String> jobs = List.of("1", "2");
    for (String job : jobs) {
      for (ClusterNode node : cluster.compute()) {
        node.exec(User.ROOT, rollcall, "job", "begin", job, "--user", User.ALICE.login());
      }
    }
    ClusterNode login = cluster.node(NodeAddress.LOGIN);
    login.exec(User.ALICE, "ssh", "node1", "ssh node2 true");
    login.exec(User.ALICE, "ssh", "node2", "ssh node1 true");
    for (String job : jobs) {
      for (ClusterNode node : cluster.compute()) {
        node.exec(User.ROOT, rollcall, "job", "end", job, "--grace", "0");
      }
    }
  }

  private static void deleteAll(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private void moveTo(Path other) throws IOException {
    Files.move(folder, other, StandardCopyOption.ATOMIC_MOVE);
  }

  /** What a JVM compares before it takes a cache: itself, and the jars. */
  private static String key(Path distribution) throws IOException {
    var text = new StringBuilder(System.getProperty("java.vm.version")).append('\n');
    for (String program : PROGRAMS) {
      try (Stream<Path> jars = Files.list(distribution.resolve("lib").resolve(program))) {
        for (Path jar : jars.sorted().toList()) {
          text.append(jar).append(' ').append(Files.size(jar)).append(' ');
          text.append(Files.getLastModifiedTime(jar)).append('\n');
        }
      }
    }
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(text.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The options of a program's JVM: none where there is no cache to read. */
  public String options(String program) {
    if (flag.equals(READ)) {
      String more = program.equals("agent") ? COMPILES_LESS : "";
      return Files.exists(file(program)) ? READ + file(program) + more : "";
    }
    return writing(file(program));
  }

  /**
   * The options of a JVM that writes a cache for any processor at its end. In the packages only a
   * gateway's classes are linked, because linked ones take more memory. What is written is as large
   * as the space of classes at most, which the command has little of.
   */
  public static String writing(Path file) {
    return WRITE + file + NO_CODE + " -XX:CompressedClassSpaceSize=1g";
  }

  /**
   * The variable with which the command of any process on a node reads its cache; empty where there
   * is none to read.
   */
  Optional<String> variable() {
    return Optional.of(options("cli"))
        .filter(options -> options.startsWith(READ))
        .map(options -> "ROLLCALL_CLI_OPTS=" + options);
  }

  /**
   * The options of a node's daemon. A JVM that is to write a file removes it at its start, also
   * while another one is to write it: one agent does.
   */
  String options(String program, NodeAddress node) {
    boolean isOther = program.equals("agent") && !node.equals(WRITER);
    return flag.equals(WRITE) && isOther ? "" : options(program);
  }

  /** Where a program's cache is, if it could be made. */
  public Path file(String program) {
    return folder.resolve(program + ".aot");
  }
}
