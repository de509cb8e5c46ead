package dev.rollcall.agent.login.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.count.Counts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The PAM module decides as the policy does, or asks the agent. */
class DecisionTest {
  private static final Path TABLE =
      Path.of(System.getProperty("rollcall.home"), "services", "pam", "contract", "decisions");
  private static final String ARROW = " -> ";
  private static final String ASK = "ask";

  /** Of lines of some 200 bytes: a pipe has 64 KiB. */
  private static final int AT_ONCE = 200;

  private static final int RANDOM = Counts.of(100_000, 1_000_000);

  private DecideProgram program;
  private final List<LoginCase> waiting = new ArrayList<>();
  private int decided;
  private int asked;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    program = DecideProgram.start();
  }

  @AfterEach
  void stop() throws IOException {
    program.close();
  }

  private void play(LoginCase login) throws IOException {
    waiting.add(login);
    if (waiting.size() == AT_ONCE) {
      playWaiting();
    }
  }

  private void playWaiting() throws IOException {
    List<String> answers = program.answer(waiting.stream().map(LoginCase::line).toList());
    assertEquals(waiting.size(), answers.size());
    for (int i = 0; i < answers.size(); i++) {
      compare(waiting.get(i), answers.get(i));
    }
    waiting.clear();
  }

  private void compare(LoginCase login, String answer) {
    if (answer.equals(ASK)) {
      asked++;
    } else {
      decided++;
      assertEquals(login.expected(), answer, login::line);
    }
  }

  @Test
  void theTableIsThePolicys() throws IOException {
    for (String line : Files.readAllLines(TABLE)) {
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      int arrow = line.indexOf(ARROW);
      var login = new LoginCase(line.substring(0, arrow));
      String answer = program.answer(List.of(login.line())).getFirst();
      assertEquals(line.substring(arrow + ARROW.length()), answer, line);
      compare(login, answer);
    }
    assertTrue(decided > 40 && asked > 20, () -> decided + " decided, " + asked + " asked");
  }

  /** The cells of AdoptPolicyTest, with and without an agent. */
  @Test
  void everyCombinationOfThePolicysTable() throws IOException {
    List<String> states = List.of("beginning", "open", "suspended", "closing", "closed");
    List<String> callers =
        List.of(
            "",
            "caller=41/in",
            "caller=40/in",
            "caller=50/in",
            "caller=0/none",
            "answer=none",
            "answer=unknown",
            "answer=unreachable");
    for (String agent : List.of("agent=alive", "agent=away")) {
      for (String options : everyOption()) {
        for (String first : states) {
          for (String second : states) {
            for (String caller : callers) {
              for (String chosen : List.of("", "chosen=41", "chosen=50")) {
                String jobs = job("41", first, 0) + job("40", second, 300) + "others=50";
                play(new LoginCase(String.join(" ", agent, options, jobs, caller, chosen)));
              }
            }
          }
        }
      }
    }
    playWaiting();
    assertEquals(2 * 3 * 2 * 2 * 2 * 25 * 8 * 3 * 2, decided + asked);
    assertTrue(decided > asked, () -> decided + " decided, " + asked + " asked");
  }

  /** No file names a job that is closed. */
  private static String job(String id, String state, int start) {
    return state.equals("closed") ? "" : "job=" + id + "/" + state + "/" + start + " ";
  }

  private static List<String> everyOption() {
    var all = new ArrayList<String>();
    for (String noJobs : List.of("deny", "ignore")) {
      for (String unknown : List.of("newest", "allow", "deny")) {
        for (String failure : List.of("deny", "allow")) {
          for (String skip : List.of("0", "1")) {
            for (String choose : List.of("0", "1")) {
              all.add(
                  "action_no_jobs=%s action_unknown=%s action_adopt_failure=%s"
                          .formatted(noJobs, unknown, failure)
                      + " single_job_skip_rpc=%s choose=%s".formatted(skip, choose));
            }
          }
        }
      }
    }
    return all;
  }

  @Test
  void casesAtRandom() throws IOException {
    long seed = new Random().nextLong();
    System.out.println("seed of the random cases: " + seed);
    var cases = new RandomCases(seed);
    for (int i = 0; i < RANDOM; i++) {
      play(cases.next());
    }
    playWaiting();
    assertEquals(RANDOM, decided + asked);
    assertTrue(decided > RANDOM / 4, () -> decided + " decided, " + asked + " asked");
  }
}
