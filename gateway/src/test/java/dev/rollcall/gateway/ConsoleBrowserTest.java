package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.protobuf.Duration;
import dev.rollcall.gateway.TestGateways.World;
import dev.rollcall.gateway.browser.BrowserPage;
import dev.rollcall.gateway.browser.Chromium;
import dev.rollcall.gateway.browser.Relay;
import dev.rollcall.gateway.browser.SharedChromium;
import dev.rollcall.model.CallerAnswer;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobState;
import dev.rollcall.proto.v1.Usage;
import dev.rollcall.proto.v1.UsageKind;
import dev.rollcall.proto.v1.UsagePoint;
import dev.rollcall.proto.v1.UsageRecord;
import dev.rollcall.testkit.process.Await;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The console in a real browser, at a real gateway with the roll in memory. */
@Tag("browser")
@ExtendWith(SharedChromium.class)
class ConsoleBrowserTest {
  /** A browser tells of every answer that is an error; the page itself says it in words. */
  private static final String NO_ADOPTIONS = "/v1/adoptions:watch";

  private TestGateways gateways;
  private FakeAgent node1;
  private FakeAgent node2;
  private BrowserPage page;

  @BeforeEach
  void start(Chromium chromium) throws Exception {
    gateways = new TestGateways(World.MEMORY, 1);
    node1 = gateways.agent(0, "node1", "10.0.0.1").connect();
    node2 = gateways.agent(0, "node2", "10.0.0.2").connect();
    node1.holds(List.of(FakeAgent.process(70)));
    node1.tell(FakeAgent.job(7, 1000), List.of(FakeAgent.process(70)));
    node2.tell(FakeAgent.job(7, 1000), List.of(FakeAgent.process(71)));
    node2.tell(FakeAgent.job(8, 1001), List.of(FakeAgent.process(80)));
    node1.complete();
    node2.complete();
    Await.until("the jobs are there", () -> gateways.memory.jobs().size() == 3);
    page = chromium.page();
  }

  @AfterEach
  void stop() {
    page.close();
    gateways.close();
  }

  private String origin() {
    return "http://127.0.0.1:" + gateways.gateway(0).port();
  }

  private void open(String view) {
    page.open(origin() + "/console/#" + view);
  }

  private static void end(FakeAgent node, Job job) {
    node.tell(new Job(job.id(), job.uid(), job.gid(), job.startedAt(), JobState.CLOSED), List.of());
  }

  @Test
  void theClusterIsThereAtAGlance() {
    open("/");
    page.shows(".figures", "2 connected, 0 lost");
    page.shows(".figures", "2 on nodes: 3 open");
    page.shows("main", "Nothing stands out.");
    page.shows("main", "gate0:7450");
    page.isInOrder(origin(), NO_ADOPTIONS);
  }

  /** As a token that comes while the page still asks without it. */
  @Test
  void aRetryDoesNotWaitForWhatIsAskedAtThatMoment() {
    open("/");
    String source =
        """
        import('/console/js/source.js').then(async ({ Source }) => {
          const answers = [];
          const attempt = (signal, live) =>
            new Promise((resolve) => answers.push({ resolve, live }));
          const source = new Source('a test', attempt, () => {});
          source.start();
          source.retry();
          answers[1]?.live();
          answers[0].resolve({ kind: 'refused' });
          await new Promise((resolve) => setTimeout(resolve));
          source.retry();
          return answers.length + ' ' + source.state;
        })
        """;
    assertEquals("2 live", page.evaluate(source).getAsString());
  }

  @Test
  void aGatewayWithoutNodesIsListed() throws Exception {
    try (var two = new TestGateways(World.MEMORY, 2)) {
      two.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
      String other = "http://127.0.0.1:" + two.gateway(0).port();
      page.open(other + "/console/#/");
      page.shows("main", "2 gateways");
      page.shows("main", "gate1:7450");
      page.isInOrder(other, NO_ADOPTIONS);
    }
  }

  @Test
  void timesAreShownWithTheirZone() {
    page.zone("Asia/Kolkata");
    open("/jobs/7");
    page.shows("main", "14:30:00.000 UTC+5:30");
    page.zone("America/New_York");
    open("/nodes/node1");
    page.shows("main", "04:00:00.000 UTC−5");
    page.zone("UTC");
    open("/jobs");
    page.shows("main", "09:00:00.000 UTC");
    page.isInOrder(origin(), NO_ADOPTIONS);
  }

  @ParameterizedTest
  @CsvSource({
    "/jobs/7, https://grafana.alps.example/d/job?var-job=7",
    "/jobs/7%26x%3D%22%3E, https://grafana.alps.example/d/job?var-job=7%26x%3D%22%3E",
    "/nodes/node1, https://grafana.alps.example/d/node?var-instance=node1:7451",
  })
  void aJobAndANodeLeadToTheirDashboards(String view, String address) {
    open(view);
    page.shows("main", "Dashboard in Grafana");
    assertEquals(
        address,
        page.evaluate("document.querySelector('main a[rel=noreferrer]').getAttribute('href')")
            .getAsString());
    page.isInOrder(origin(), NO_ADOPTIONS, "/v1/");
  }

  @Test
  void aNodeThatIsLostIsToBeLookedAt() {
    open("/");
    page.shows(".figures", "2 connected");
    node2.vanish();
    gateways.clock.advance(TestGateways.LEASE.plusSeconds(1));
    page.shows(".attention", "lost: no agent was heard within the lease");
    page.shows(".attention", "on lost nodes");
    page.isInOrder(origin(), NO_ADOPTIONS);
  }

  @Test
  void jobsBeginAndEndBeforeOnesEyes() {
    open("/jobs");
    page.shows(".listing", "2 jobs");
    Job ninth = FakeAgent.job(9, 1002);
    node1.tell(ninth, List.of(FakeAgent.process(90)));
    page.shows(".listing", "3 jobs");
    page.shows("tbody", "1002");
    end(node1, ninth);
    page.shows(".listing", "2 jobs");
    assertFalse(page.text("tbody").contains("1002"));
    page.isInOrder(origin(), NO_ADOPTIONS);
  }

  @Test
  void aJobHasItsProcessesOnEachNode() {
    open("/jobs/7");
    page.shows("main", "the node, now");
    page.shows("main", "2 processes");
    page.shows("main", "the roll, as of");
    open("/nodes/node2");
    page.shows("main", "2 jobs");
    page.shows(".facts", "10.0.0.2");
    page.isInOrder(origin(), NO_ADOPTIONS);
  }

  private static Usage usage(long seconds, long memory) {
    return Usage.newBuilder()
        .setUserTime(Duration.newBuilder().setSeconds(seconds))
        .setSystemTime(Duration.getDefaultInstance())
        .setMemoryNow(memory)
        .setProcessesNow(3)
        .build();
  }

  static UsageRecord used(long job, long seconds, long memory, UsagePoint... lastHour) {
    return UsageRecord.newBuilder()
        .setKind(UsageKind.USAGE_KIND_JOB)
        .setJobId(job)
        .setUid(1000)
        .setUsage(usage(seconds, memory))
        .addAllLastHour(List.of(lastHour))
        .build();
  }

  static UsagePoint point(int secondsAgo, long seconds, long memory) {
    return UsagePoint.newBuilder()
        .setSecondsAgo(secondsAgo)
        .setUsage(usage(seconds, memory))
        .build();
  }

  private String line(String label) {
    String path = "document.querySelector('svg[aria-label^=\"" + label + "\"] path')";
    return page.evaluate(path + ".getAttribute('d')").getAsString();
  }

  @Test
  void aJobsLastHourIsDrawnAsThePageOpens() {
    node1.used(used(7, 2700, 300 << 20, point(1800, 0, 100 << 20), point(900, 900, 200 << 20)));
    node2.used(used(7, 5, 1 << 20));
    open("/jobs/7");
    page.shows("main", "300.0 MiB");
    String memory = line("Memory on node1 in the last hour: at most 300.0 MiB");
    // A later round moves the first points to the left.
    assertTrue(
        memory.matches("M(60|5\\d)\\.\\d 11\\.7L(90|8\\d)\\.\\d 6\\.3L1[12]\\d\\.\\d 1\\.0.*"),
        memory);
    String cpus = line("CPUs on node1 in the last hour: at most 2.00");
    assertTrue(cpus.matches("M(90|8\\d)\\.\\d 9\\.0L1[12]\\d\\.\\d 1\\.0.*"), cpus);
    assertEquals("", line("Bytes read and written on node1 in the last hour"));
    page.isInOrder(origin(), NO_ADOPTIONS);
  }

  @Test
  void aJobHasItsUseOnEachNode() {
    node1.used(used(7, 80, 300 << 20));
    open("/jobs/7");
    page.shows("main", "80.0 s");
    page.shows("main", "300.0 MiB");
    page.shows("main", "The figures are not up to date. node node2 did not answer within 2000 ms.");
    page.isInOrder(origin(), NO_ADOPTIONS);
  }

  /** The page asks every ten seconds. */
  @Tag("full")
  @Test
  void aJobsUseIsFollowed() {
    node1.used(used(7, 80, 300 << 20));
    node2.used(used(7, 0, 100 << 20));
    open("/jobs/7");
    page.shows("main", "300.0 MiB");
    node1.used(used(7, 100, 400 << 20));
    page.shows("main", "400.0 MiB");
    assertTrue(
        page.text("tbody .drawn").matches("(?s)[12]\\.\\d\\d.*"), "20 s of CPU in some 10 s");
    page.isInOrder(origin(), NO_ADOPTIONS);
  }

  @Test
  void aNodeTellsWhatIsInNoJobThere() {
    node2.escaped(FakeAgent.outsideProcess(91, 1001));
    open("/nodes/node2");
    page.shows("main", "Processes in no job");
    page.shows("main", "1 process");
    page.shows("main", "cron");
    page.shows("main", "left alone");
    open("/nodes/node1"); // it does not answer that
    page.shows("main", "node node1 did not answer within 3000 ms");
    page.shows("main", "Not known yet.");
    page.isInOrder(origin(), NO_ADOPTIONS);
  }

  @Test
  void callsAreDrawnAsTheyAreMade() {
    open("/calls");
    page.shows("main", "No call was reported in this time.");
    node1.announce(node1.call("10.0.0.1:40000", "10.0.0.2:22"), 1);
    node1.announce(node1.call("10.0.0.1:40001", "10.0.0.2:22"), 2);
    page.shows("main", "1 pair");
    page.shows("main", "10.0.0.1:40001 → 10.0.0.2:22");
    assertEquals(
        "node1 → node2: 2 calls",
        page.evaluate("document.querySelector('.graph path title').textContent").getAsString());
    assertEquals(
        "#/nodes/node2",
        page.evaluate("document.querySelectorAll('.graph a')[1].getAttribute('href')")
            .getAsString());
    page.isInOrder(origin(), NO_ADOPTIONS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          10.0.0.1:40000 10.0.0.2:22     | 42.extern
          10.0.0.2:22 -> 10.0.0.1:40000  | 42.extern
          10.0.0.1:40009 10.0.0.2:22     | Its caller is unknown
          job 7                          | node1, node2
          job 5                          | No job has this number.
          user 1001                      | 8
          user 5                         | No job of this user is known.
          alice                          | No job of a user with this name
          carol                          | 8
          pid 70                         | 7.0
          pid 80                         | 8.0
          pid 71 on node2                | Found in the gateways’ roll.
          pid 99 on node2                | processes found.
          pid 5                          | 2 jobs searched: 0 processes found.
          job:7                          | node1, node2
          user#carol                     | 8
          pid = 80                       | 8.0
          70                             | 7.0
          1001                           | node2
          ode2                           | node2
          """)
  void whatIsSearchedForIsFound(String query, String found) {
    node1.announce(node1.call("10.0.0.1:40000", "10.0.0.2:22"), 1);
    node1.answerWith(_ -> new CallerAnswer.Unknown("no such call"));
    node2.answerWith(_ -> new CallerAnswer.Unknown("no such call"));
    open("/");
    page.shows(".figures", "2 connected");
    page.press("/");
    page.write(query);
    page.press("Enter");
    page.shows("h2", "Search: " + query);
    page.shows("main", found);
    page.isInOrder(origin(), NO_ADOPTIONS);
  }

  @Test
  void whatCanBeNothingIsToldHowToWriteIt() {
    open("/search?q=%3F%3F");
    page.shows("main", "the caller’s end first");
    page.isInOrder(origin(), NO_ADOPTIONS);
  }

  @Test
  void aSearchWaitsForTheLimitAndNamesTheJobsThatItCouldNotSearch() {
    open("/");
    page.shows(".figures", "2 connected");
    limit("/v1/processes:identify", 1);
    limit("/v1/jobs/7/processes", 1);
    limit("/v1/jobs/8/processes", 99);
    open("/search?q=pid+70+on+node2");
    page.shows("main", "1 job searched: 0 processes found.");
    page.shows("main", "1 job could not be searched: The gateway limits your requests.");
    assertFalse(page.text("main").contains("roll could not be searched"), page.text("main"));
    limit("/v1/processes:identify", 99);
    open("/search?q=pid+71+on+node2");
    page.shows("main", "The gateways’ roll could not be searched: The gateway limits");
    page.isInOrder(origin(), NO_ADOPTIONS);
  }

  /** The page's next requests of a path are answered as a gateway does that limits them. */
  private void limit(String path, int times) {
    page.evaluate(
        """
        ((path, times) => {
          window.limits = {...window.limits, [path]: times};
          window.unlimited ??= window.fetch;
          window.fetch = async (url, ...rest) => window.limits[url.split('?')[0]]-- > 0
            ? new Response('{}', {status: 429}) : window.unlimited(url, ...rest);
        })('%s', %d)
        """
            .formatted(path, times));
  }

  @Test
  void aPageThatNobodySeesAsksNothing() {
    int before = gateways.gateway(0).callsUnderWay();
    open("/jobs");
    page.shows(".listing", "2 jobs");
    Await.until("streams are open", () -> gateways.gateway(0).callsUnderWay() >= before + 2);
    see(false);
    Await.until("they are closed", () -> gateways.gateway(0).callsUnderWay() == before);
    node1.tell(FakeAgent.job(9, 1002), List.of());
    assertEquals("", page.text("#links"));
    see(true);
    page.shows(".listing", "3 jobs");
    page.isInOrder(origin(), NO_ADOPTIONS);
  }

  /** A headless browser has no tabs to change between: the page is told that it did. */
  private void see(boolean seen) {
    page.evaluate(
        "Object.defineProperty(document, 'hidden', {value: %s, configurable: true}),"
                .formatted(!seen)
            + " document.dispatchEvent(new Event('visibilitychange'))");
  }

  @Test
  void everythingIsReachedByKeyboardAlone() {
    open("/");
    page.shows(".figures", "2 connected");
    page.press("Tab");
    assertEquals("Skip to the content", page.focused());
    for (String name : List.of("Rollcall", "Overview", "Nodes", "Jobs", "Calls", "Adoptions")) {
      page.press("Tab");
      assertEquals(name, page.focused());
      assertNotEquals("none", outline(), name);
    }
    page.tabTo("Jobs");
    page.press("Enter");
    page.shows("h2", "Jobs");
    assertEquals("Jobs", page.focused());
    page.tabTo("Filter: Jobs");
    page.write("1001");
    page.shows(".count", "1 job of 2");
    page.tabTo("Nodes");
    page.press("Enter");
    assertEquals(
        "ascending", page.evaluate("document.activeElement.parentElement.ariaSort").getAsString());
    page.tabTo("8");
    assertNotEquals("none", outline());
    page.press("Enter");
    page.shows("h2", "Job 8");
    page.tabTo("node2");
    page.press("Enter");
    page.shows("h2", "Node node2");
    page.press("/");
    assertTrue(page.focused().startsWith("Search for an address pair"), page.focused());
    page.isInOrder(origin(), NO_ADOPTIONS);
  }

  private String outline() {
    return page.evaluate("getComputedStyle(document.activeElement).outlineStyle").getAsString();
  }

  @Test
  void whatHasTheFocusKeepsItWhileListsChange() {
    open("/jobs");
    page.shows(".listing", "2 jobs");
    page.tabTo("8");
    node1.tell(FakeAgent.job(1, 1002), List.of());
    page.shows(".listing", "3 jobs");
    assertEquals("8", page.focused());
    page.isInOrder(origin(), NO_ADOPTIONS);
  }

  @Test
  void aStreamThatBreaksIsToldWithItsTimeAndComesBack() throws Exception {
    try (var relay = new Relay(gateways.gateway(0).port())) {
      page.open("http://127.0.0.1:" + relay.port() + "/console/#/jobs");
      page.shows(".listing", "2 jobs");
      relay.cut();
      page.shows("#links", "Jobs: not live since ");
      page.shows("#links", "The gateway does not answer.");
      page.shows("#links", "Next try in ");
      assertTrue(
          page.text("#links").matches("(?s).*not live since [0-9:.]{12} UTC\\S* \\([0-9]+ s\\).*"));
      assertTrue(
          page.evaluate("document.getElementById('said').textContent")
              .getAsString()
              .startsWith("Not live: "));
      page.shows(".listing", "2 jobs");
      // What ended meanwhile is not told any more when the stream is back.
      end(node2, FakeAgent.job(8, 1001));
      node1.tell(FakeAgent.job(9, 1002), List.of());
      Await.until(
          "the roll knows",
          () ->
              gateways.memory.jobs().stream()
                  .noneMatch(
                      entry -> entry.job().uid() == 1001 && entry.job().state() == JobState.OPEN));
      relay.mend();
      page.shows("tbody", "1002");
      Await.until("the ended job is gone", () -> !page.text("tbody").contains("carol"));
      Await.until("nothing is broken", () -> page.text("#links").isEmpty());
      page.isInOrder("http://127.0.0.1:" + relay.port(), "Failed to load", "net::");
    }
  }

  @Test
  void aListOfJobsThatFailsIsToldAndRequestedAgain() throws Exception {
    int before = gateways.gateway(0).callsUnderWay();
    open("/jobs");
    page.shows(".listing", "2 jobs");
    see(false);
    Await.until("streams are closed", () -> gateways.gateway(0).callsUnderWay() == before);
    // An agent that starts again sends no closed jobs, so only the list shows that one has ended.
    node2.vanish();
    gateways.agent(0, "node2", "10.0.0.2").epoch(2).connectWithoutJobs();
    Await.until("the roll has the rest", () -> gateways.memory.jobs().size() == 1);
    limit("/v1/jobs", 99);
    see(true);
    page.shows("#links", "Jobs: not live since ");
    page.shows("#links", "The gateway limits your requests.");
    page.shows(".listing", "2 jobs");
    limit("/v1/jobs", 0);
    page.shows(".listing", "1 job");
    assertFalse(page.text("tbody").contains("carol"));
    Await.until("nothing is broken", () -> page.text("#links").isEmpty());
    page.isInOrder(origin(), NO_ADOPTIONS);
  }

  @Test
  void aRefusalIsToldWithWhatToDo() {
    // A name that leads to this machine, as of a page that wants to look like the gateway's.
    String other = "http://" + Chromium.OTHER_NAME + ":" + gateways.gateway(0).port();
    page.open(other + "/console/");
    page.shows("#links", "does not permit this request. Use an administrator’s certificate");
    page.shows("#links", "is not loopback");
    JsonElement retries = page.evaluate("document.querySelectorAll('#links button').length");
    assertEquals(4, retries.getAsInt());
    page.isInOrder(other, "403 (Forbidden)", "Cross-Origin-Opener-Policy");
  }
}
