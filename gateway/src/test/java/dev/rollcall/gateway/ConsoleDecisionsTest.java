package dev.rollcall.gateway;

import dev.rollcall.gateway.TestGateways.World;
import dev.rollcall.gateway.browser.BrowserPage;
import dev.rollcall.gateway.browser.Chromium;
import dev.rollcall.gateway.browser.SharedChromium;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.JobStep;
import dev.rollcall.proto.v1.Outcome;
import dev.rollcall.wire.CallerMapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What nodes tell a gateway of their decisions, in its console. */
@Tag("browser")
@ExtendWith(SharedChromium.class)
class ConsoleDecisionsTest {
  private TestGateways gateways;
  private FakeAgent node1;
  private BrowserPage page;

  @BeforeEach
  void start(Chromium chromium) throws Exception {
    gateways = new TestGateways(World.MEMORY, 1);
    node1 = gateways.agent(0, "node1", "10.0.0.1").connectWithoutJobs();
    page = chromium.page();
  }

  @AfterEach
  void stop() throws Exception {
    page.close();
    gateways.close();
  }

  private void tell(Adoption.Builder adoption) {
    node1.say(
        ConnectRequest.newBuilder()
            .setAdoption(
                adoption
                    .setService("sshd")
                    .setDecidedAt(CallerMapper.timestamp(FakeAgent.NOW))
                    .build())
            .build());
  }

  private void open(String view) {
    page.open("http://127.0.0.1:" + gateways.gateway(0).port() + "/console/#" + view);
  }

  @Test
  void thoseOfBeforeAndThoseThatComeAreShownAndExplained() throws Exception {
    tell(
        Adoption.newBuilder()
            .setAdoptionId("b-1")
            .setUid(1000)
            .setOutcome(Outcome.OUTCOME_ADOPTED)
            .setJob(JobStep.newBuilder().setJobId(7).setStep("extern"))
            .setReason("only-job"));
    open("/adoptions");
    page.shows("tbody", "only-job");
    page.shows(".listing", "1 decision");
    tell(
        Adoption.newBuilder()
            .setAdoptionId("b-2")
            .setUid(1001)
            .setOutcome(Outcome.OUTCOME_DENIED)
            .setReason("no-jobs"));
    page.shows(".listing", "2 decisions");
    page.shows("tbody", "no-jobs");
    open("/adoptions/node1/b-2");
    page.shows("main", "no-jobs");
    page.shows("main", "1001");
    tell(
        Adoption.newBuilder()
            .setAdoptionId("b-3")
            .setUid(1001)
            .setOutcome(Outcome.OUTCOME_STEPPED_ASIDE)
            .setReason("no-jobs")
            .setWould(Outcome.OUTCOME_DENIED));
    open("/adoptions");
    page.shows(".listing", "3 decisions");
    open("/adoptions/node1/b-3");
    page.shows("main", "because it is audit-only: it would have been denied.");
    tell(
        Adoption.newBuilder()
            .setAdoptionId("b-4")
            .setUid(1001)
            .setOutcome(Outcome.OUTCOME_FAILED)
            .setReason("generic-failure"));
    open("/adoptions");
    page.shows("tbody", "failed");
    open("/adoptions/node1/b-4");
    page.shows("main", "was not decided by the agent");
  }
}
