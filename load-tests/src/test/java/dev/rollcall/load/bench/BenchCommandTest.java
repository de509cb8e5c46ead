package dev.rollcall.load.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.load.figures.KeptRun;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchCommandTest {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void aDistribution() throws IOException {
    Path launcher = Files.createDirectories(directory.resolve("dist/bin")).resolve("rollcall");
    Files.writeString(launcher, "");
    assertTrue(launcher.toFile().setExecutable(true));
  }

  /** Counts letters, which is no benchmark at all: the command does not mind. */
  private record Letters(String name, boolean fails) implements Benchmark {
    @Override
    public String about() {
      return "the letters of " + name;
    }

    @Override
    public List<BenchCase> run(Bench bench) {
      if (fails) {
        throw new BenchFailedException("no letters in '" + name + "'");
      }
      return List.of(
          BenchCase.of("all", "ms", Figure.ofSamples(3, 1, 2))
              .withPeer(Figure.of(bench.count(8, 4)))
              .withFact("seed", bench.seed())
              .withFact("nodes", bench.nodes().size()),
          BenchCase.of("none", "/s", Figure.of(0)).withPeer(Figure.of(1)));
    }
  }

  private int run(String... words) {
    List<Benchmark> all = List.of(new Letters("abc", false), new Letters("def", true));
    return new CommandLine(new BenchCommand(all))
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(words);
  }

  private int runHere(String... words) {
    var all = new java.util.ArrayList<>(List.of(words));
    all.addAll(
        List.of(
            "--folder", directory.resolve("figures").toString(),
            "--distribution", directory.resolve("dist").toString()));
    return run(all.toArray(String[]::new));
  }

  @Test
  void figuresAreToldAndKeptWithTheirRatios() throws IOException {
    assertEquals(0, runHere("abc", "--seed", "7"));
    JsonObject kept = new JsonObject(Files.readString(directory.resolve("figures/abc.json")));
    assertEquals("./rollcall bench abc", kept.getString("command"));
    JsonObject all = kept.getJsonArray("cases").getJsonObject(0);
    assertEquals("all", all.getString("case"));
    assertEquals(2, all.getDouble("ours"));
    assertEquals(8, all.getDouble("peer"));
    assertTrue(all.containsKey("floor") && all.getValue("floor") == null);
    assertEquals(4, all.getDouble("ratio"));
    assertEquals(7, all.getInteger("seed"));
    assertEquals(3, all.getJsonObject("spread").getJsonObject("ours").getDouble("max"));
    JsonObject none = kept.getJsonArray("cases").getJsonObject(1);
    assertTrue(none.getValue("ratio") == null, "nothing is divided by zero");
    assertTrue(out.toString().contains("4.0"), out.toString());
    assertTrue(Files.size(directory.resolve("figures/abc.png")) > 1_000, "the picture");
  }

  /** docs/performance.md is made from such files. */
  @Test
  void theFileIsAnInputOfThePage() throws IOException {
    Files.createDirectories(directory.resolve("dist/lib/agent"));
    Files.writeString(directory.resolve("dist/lib/agent/rollcall-agent-1.2.3.jar"), "");
    assertEquals(0, runHere("abc", "--commit", "0123abc", "--nodes", "20,30"));
    KeptRun run = KeptRun.read(directory.resolve("figures/abc.json"));
    assertEquals("0123abc", run.json().getString("commit"));
    assertEquals("1.2.3", run.json().getString("version"));
    assertEquals("./rollcall bench abc --nodes 20,30", run.json().getString("command"));
    assertTrue(run.json().getJsonObject("machine").getLong("memory_mib") > 0);
    assertEquals("2.0", run.of("all").ours(2));
    assertEquals(3, run.of("all").number("spread.ours.max"));
    assertEquals("4.0", run.of("all").ratio());
    assertFalse(run.isQuick());
  }

  @Test
  void asJsonTheFiguresAndNothingElse() {
    assertEquals(0, runHere("abc", "--json", "--quick"));
    JsonObject told = new JsonObject(out.toString());
    assertTrue(told.getBoolean("quick"));
    assertEquals(2, told.getJsonArray("cases").getJsonObject(0).getDouble("ratio"));
  }

  @Test
  void whatCannotBeMeasuredIsNamedAndTheRestIsMeasured() {
    assertEquals(1, runHere());
    assertEquals(
        "rollcall bench def: no letters in 'def'", err.toString().lines().toList().getLast());
    assertFalse(Files.exists(directory.resolve("figures/def.json")));
    assertTrue(Files.exists(directory.resolve("figures/abc.json")));
  }

  @Test
  void namesAreListed() {
    assertEquals(0, runHere("--list"));
    assertEquals("abc        the letters of abc", out.toString().lines().findFirst().orElseThrow());
  }

  @Test
  void nodesAreTakenByThatOption() throws IOException {
    assertEquals(0, runHere("abc", "--nodes", "2,300,99999"));
    JsonObject kept = new JsonObject(Files.readString(directory.resolve("figures/abc.json")));
    assertEquals(3, kept.getJsonArray("cases").getJsonObject(0).getInteger("nodes"));
  }

  @Test
  void aWrongNumberOfNodesIsNamed() {
    assertEquals(2, runHere("abc", "--nodes", "100,1"));
    assertTrue(
        err.toString().startsWith("--nodes 1: expected between 2 and 99999"), err.toString());
    assertEquals(2, runHere("abc", "--nodes", "many"));
    assertTrue(err.toString().contains("'many'"), err.toString());
  }

  @Test
  void aWrongNameOrDistributionIsNamed() {
    assertEquals(2, runHere("ghi"));
    assertTrue(
        err.toString().startsWith("no benchmark 'ghi'. There are: abc, def"), err.toString());
    assertEquals(2, run("abc", "--folder", "x", "--distribution", directory.toString()));
    assertTrue(err.toString().contains(directory + " is not a distribution"), err.toString());
  }
}
