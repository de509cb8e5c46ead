package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.rollcall.gateway.TestGateways.World;
import dev.rollcall.gateway.browser.Axe;
import dev.rollcall.gateway.browser.BrowserPage;
import dev.rollcall.gateway.browser.Chromium;
import dev.rollcall.gateway.browser.SharedChromium;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.grpc.GrpcChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the console looks, with a thousand nodes, in light and dark, on a desk and on a phone. */
@Tag("browser")
@ExtendWith(SharedChromium.class)
class ConsoleLookTest {
  private static final Path PICTURES = Path.of("target/screenshots");
  private static final int NODES = 1000;
  private static final int NODES_A_CHANNEL = 200;

  /** Each serves 512 that come by loopback at once. */
  private static final int GATEWAYS = 3;

  private static final List<String> VIEWS =
      List.of(
          "/",
          "/nodes",
          "/nodes/node0001",
          "/jobs",
          "/jobs/4001",
          "/calls",
          "/adoptions",
          "/adoptions/node0001/a1",
          "/search?q=4000",
          "/search?q=10.1.0.1:40000%2010.1.0.2:22");

  private static TestGateways gateways;
  private static final List<FakeAgent> AGENTS = new ArrayList<>();
  private static final List<GrpcChannel> CHANNELS = new ArrayList<>();
  private BrowserPage page;
  private long announced;

  @BeforeAll
  static void start() throws Exception {
    gateways = new TestGateways(World.MEMORY, GATEWAYS);
    for (int i = 0; i < NODES; i++) {
      if (i % NODES_A_CHANNEL == 0) {
        CHANNELS.add(gateways.freshChannel(i / NODES_A_CHANNEL % GATEWAYS));
      }
      var agent = new FakeAgent(CHANNELS.getLast(), name(i), address(i)).connect();
      agent.holds(List.of(FakeAgent.process(1000 + i)));
      // One job on a third of them, and a small one on every other.
      if (i % 3 == 0) {
        agent.tell(job(4000, 1000), List.of(FakeAgent.process(1000 + i)));
      }
      if (i % 2 == 0) {
        agent.tell(job(4001 + i / 4, 1001 + i / 4 % 40), List.of(FakeAgent.process(3000 + i)));
      }
      if (i == 2) {
        agent.used(
            ConsoleBrowserTest.used(
                    4001,
                    9_000,
                    300 << 20,
                    ConsoleBrowserTest.point(3_000, 0, 100 << 20),
                    ConsoleBrowserTest.point(1_500, 3_000, 900 << 20))
                .toBuilder()
                .setUid(1001)
                .build());
      }
      agent.complete();
      AGENTS.add(agent);
    }
    Await.until(
        "the jobs are there", () -> gateways.memory.jobs().size() == (NODES + 2) / 3 + NODES / 2);
  }

  @AfterAll
  static void stop() throws Exception {
    CHANNELS.forEach(GrpcChannel::close);
    AGENTS.clear();
    CHANNELS.clear();
    gateways.close();
  }

  @BeforeEach
  void open(Chromium chromium) {
    page = chromium.page();
  }

  @AfterEach
  void close() {
    page.close();
  }

  private static String name(int i) {
    return "node%04d".formatted(i + 1);
  }

  private static String address(int i) {
    return "10.1.%d.%d".formatted((i + 1) / 250, (i + 1) % 250);
  }

  private static Job job(long id, int uid) {
    return new Job(new JobId(id), uid, uid, FakeAgent.NOW, JobState.OPEN);
  }

  private static String origin() {
    return "http://127.0.0.1:" + gateways.gateway(0).port();
  }

  private void open(String view) {
    page.open(origin() + "/console/#" + view);
  }

  /** From a few login nodes to many, some oftener. */
  private void makeCalls() {
    for (int i = 0; i < 400; i++) {
      int from = i % 7;
      int to = 7 + (i * i) % 23;
      AGENTS
          .get(from)
          .announce(
              AGENTS
                  .get(from)
                  .call(
                      address(from) + ":" + (40_000 + i),
                      address(to) + ":22",
                      1001 + i % 5,
                      4001 + i % 5),
              ++announced);
    }
  }

  @Test
  void aThousandNodesAreReadPageByPageAndFoundByAPartOfTheirNames() throws Exception {
    open("/nodes");
    page.shows(".count", "1,000 nodes");
    page.shows(".pages", "1 to 50 of 1,000");
    assertEquals(50, rows());
    page.tabTo("Next");
    page.press("Enter");
    page.shows(".pages", "51 to 100 of 1,000");
    page.shows("tbody", "node0051");
    assertEquals("Next", page.focused());
    page.screenshot(PICTURES.resolve("nodes.png"));
    page.evaluate("document.querySelector('main input').focus()");
    page.write("node0999");
    page.shows(".count", "1 node of 1,000");
    assertEquals(1, rows());
    open("/");
    page.shows(".figures", "1,000 connected, 0 lost");
    page.shows(".figures", "834 open");
    open("/jobs/4000");
    page.shows("main", "334 nodes");
    page.isInOrder(origin(), "/v1/adoptions");
  }

  private int rows() {
    return page.evaluate("document.querySelectorAll('tbody tr').length").getAsInt();
  }

  @Test
  void manyCallsAreDrawnAsTheBusiestPairs() throws Exception {
    open("/calls");
    page.shows("main", "No call was reported in this time.");
    makeCalls();
    page.shows("main", "400 calls");
    page.shows("main", "The graph shows the 30 busiest of");
    assertEquals(30, page.evaluate("document.querySelectorAll('.graph path').length").getAsInt());
    page.screenshot(PICTURES.resolve("calls.png"));
    open("/");
    page.shows(".figures", "400 in the last minute");
    page.screenshot(PICTURES.resolve("overview.png"));
    page.isInOrder(origin(), "/v1/adoptions");
  }

  @ParameterizedTest
  @CsvSource({"light, 1280, 900", "dark, 1280, 900", "light, 360, 740", "dark, 360, 740"})
  void everyViewIsOpenToEverybodyInThisLightAndWidth(String scheme, int width, int height)
      throws Exception {
    var axe = new Axe();
    page.viewport(width, height);
    page.scheme(scheme);
    open("/");
    page.shows(".figures", "1,000 connected");
    makeCalls();
    for (String view : VIEWS) {
      open(view);
      page.shows("main", " ");
      Await.until(view + " is there", () -> page.text("main").length() > 40);
      if (view.startsWith("/jobs/")) {
        page.shows("main", "300.0 MiB");
      }
      String name = view.replaceAll("[^a-z0-9]+", "-") + "-" + scheme + "-" + width + ".png";
      page.screenshot(PICTURES.resolve("views").resolve("view" + name));
      assertEquals("", axe.findings(page), view);
      assertFalse(page.scrollsSideways(), view);
    }
    // axe-core reads colours by a canvas, of which the browser has an opinion.
    page.isInOrder(origin(), "/v1/adoptions", "Canvas2D");
  }
}
