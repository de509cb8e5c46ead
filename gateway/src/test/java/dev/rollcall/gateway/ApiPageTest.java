package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.Roles.Who;
import dev.rollcall.testkit.docs.CodeBlock;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import dev.rollcall.wire.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Types the curl commands of docs/api.md and docs/services.md, and reads the answers. */
@Timeout(180)
class ApiPageTest {
  private static final Path DOCS = Path.of(System.getProperty("rollcall.home", ".."), "docs");
  private static final Path API = DOCS.resolve("api.md");

  /** Prints the status in a line of its own; the commands stay those of the page. */
  private static final String CURL =
      "curl() { command curl --silent --show-error --max-time 30 --write-out '\\n%{http_code}\\n'"
          + " \"$@\"; }\n";

  @TempDir Path directory = Path.of("unset");
  private Roles roles;

  @BeforeEach
  void start() throws Exception {
    roles = Roles.withTokens(directory);
    FakeAgent node1 = roles.agent(Who.NODE1, "node1", "10.0.0.1");
    node1.tell(FakeAgent.job(4242, 1001), List.of(FakeAgent.process(4711)));
    node1.complete();
    node1.announce(node1.call("10.0.0.1:40000", "10.0.0.2:22", 1001), 1);
    node1.announce(node1.call("10.0.0.1:40312", "10.0.0.5:27000", 1001), 2);
    Await.until("the job is there", () -> roles.gateways.memory.jobs().size() == 1);
  }

  @AfterEach
  void stop() {
    roles.close();
  }

  /** Puts the three files of a certificate where the page has them. */
  private void holds(Who who) throws IOException {
    TlsFiles own = roles.files(who);
    Path folder = Files.createDirectories(directory.resolve("typed"));
    Files.copy(own.ca(), folder.resolve("ca.pem"));
    Files.copy(own.certificate(), folder.resolve("certificate.pem"));
    Files.copy(own.key(), folder.resolve("key.pem"));
  }

  private String typed(String... blocks) {
    String here = "https://127.0.0.1:" + roles.gateways.gateway(0).port();
    String commands =
        String.join("", blocks).replaceAll("https://gate1(\\.alps\\.example)?:7450", here);
    assertTrue(commands.contains(here), commands);
    Result result =
        Running.run(
            Duration.ofSeconds(60),
            List.of(
                "bash",
                "-c",
                "set -eu; cd \"$1\"\n" + CURL + commands,
                "bash",
                directory.resolve("typed").toString()));
    assertEquals(0, result.exit(), result.out() + result.err());
    assertEquals("", result.err(), result.out());
    return result.out();
  }

  private static void assertAllFound(String answers, int count) {
    List<String> statuses = answers.lines().filter(line -> line.matches("[0-9]{3}")).toList();
    assertEquals(Collections.nCopies(count, "200"), statuses, answers);
  }

  @Test
  void anAdministratorsCommandsFindNodesJobsProcessesAndCallers() throws IOException {
    holds(Who.ADMINISTRATOR);
    String block = CodeBlock.beginning(API, "gateway=").text();
    Await.until("the call is there", () -> typed(block).contains("\"found\""));
    String answers = typed(block);
    assertAllFound(answers, 6);
    assertTrue(answers.contains("\"jobId\":\"4242\""), answers);
    assertTrue(answers.contains("\"pid\":4711"), answers);
    assertTrue(answers.contains("\"uid\":1001"), answers);
  }

  @Test
  void aTokenReplacesTheCertificate() throws IOException {
    holds(Who.ADMINISTRATOR);
    String gateway = "gateway=https://gate1:7450\n";
    String token =
        typed(
            gateway
                + "curl --cacert ca.pem --cert certificate.pem --key key.pem --data '{}'"
                + " --header 'content-type: application/json' $gateway/v1/tokens\n");
    Files.writeString(
        directory.resolve("typed/token"),
        token.replaceFirst("(?s).*\"token\":\"([^\"]+)\".*", "$1"));
    String answer =
        typed(gateway, CodeBlock.beginning(API, "curl --cacert ca.pem --header").text());
    assertAllFound(answer, 1);
    assertTrue(answer.contains("\"jobId\":\"4242\""), answer);
  }

  @Test
  void aProcessIsFoundByNodeAndPid() throws IOException {
    holds(Who.ADMINISTRATOR);
    String variables =
        CodeBlock.beginning(API, "gateway=")
            .text()
            .lines()
            .limit(2)
            .reduce("", (a, b) -> a + b + "\n");
    String block = CodeBlock.beginning(API, "curl $certificate \"$gateway/v1/processes").text();
    String unknown = typed(variables, block);
    assertAllFound(unknown, 1);
    assertTrue(unknown.contains("\"unknown\""), unknown);
    String known = typed(variables, block.replace("node7", "node1"));
    assertTrue(known.contains("\"inJob\"") && known.contains("\"4242\""), known);
  }

  @Test
  void aServiceFindsTheClientThatConnectedToIt() throws IOException {
    holds(Who.SERVICE);
    String block = CodeBlock.beginning(DOCS.resolve("services.md"), "ends=").text();
    String unknown = typed(block);
    assertAllFound(unknown, 1);
    assertTrue(unknown.contains("{\"answer\":{\"unknown\":{\"reason\":"), unknown);
    String known = block.replace("10.20.1.1", "10.0.0.1").replace("10.20.0.5", "10.0.0.5");
    Await.until("the call is there", () -> typed(known).contains("\"found\""));
    String answer = typed(known);
    assertTrue(
        answer.startsWith("{\"answer\":{\"found\":{\"cluster\":\"cluster\",\"node\":\"node1\""),
        answer);
  }
}
