package dev.rollcall.agent.login.file;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Logins at random, in the words of {@link LoginCase}: all from one seed. */
final class RandomCases {
  private static final int IDS = 10;
  private static final int MOST_JOBS = 8;
  private static final List<String> STATES =
      List.of("open", "open", "open", "suspended", "beginning", "closing", "unspecified");
  private static final List<String> WRONG = List.of("", "", "", "", "", "/early", "/late", "/over");
  private static final List<String> OTHER =
      List.of("", "-local-port", "-remote", "-local", "-length", "-none");
  private static final List<List<String>> OPTIONS =
      List.of(
          List.of("action_no_jobs=deny", "action_no_jobs=ignore"),
          List.of("action_unknown=newest", "action_unknown=allow", "action_unknown=deny"),
          List.of("action_adopt_failure=deny", "action_adopt_failure=allow"),
          List.of("single_job_skip_rpc=1", "single_job_skip_rpc=0"),
          List.of("choose=0", "choose=1"));

  private final Random random;

  RandomCases(long seed) {
    random = new Random(seed);
  }

  LoginCase next() {
    var words = new ArrayList<String>();
    sometimes(4, words, "agent=away");
    sometimes(4, words, "complete=0");
    sometimes(40, words, "node-ask=" + (1 + random.nextInt(5)));
    sometimes(40, words, "user-ask=" + (1 + random.nextInt(5)));
    sometimes(20, words, "connection=unknown");
    sometimes(3, words, "chosen=" + id());
    sometimes(6, words, "answer=" + one(List.of("unknown", "unreachable", "none")));
    addJobs(words);
    for (int callers = Math.max(0, random.nextInt(6) - 3); callers > 0; callers--) {
      String leadsTo = one(List.of(id() + "/in", id() + "/in", id() + "/wish", "0/none"));
      words.add(
          "caller=" + leadsTo + (random.nextInt(9) == 0 ? "/other" + one(OTHER) : one(WRONG)));
    }
    for (List<String> option : OPTIONS) {
      sometimes(2, words, one(option));
    }
    Collections.shuffle(words, random);
    return new LoginCase(String.join(" ", words));
  }

  private void addJobs(List<String> words) {
    List<Integer> ids = new ArrayList<>(IntStream.rangeClosed(1, IDS).boxed().toList());
    Collections.shuffle(ids, random);
    int own = random.nextInt(MOST_JOBS + 1);
    for (int id : ids.subList(0, own)) {
      // Few starts, so that some are equal.
      String ask = random.nextInt(25) == 0 ? "/ask" : "";
      words.add("job=" + id + "/" + one(STATES) + "/" + random.nextInt(4) + ask);
    }
    for (int id : ids.subList(own, own + random.nextInt(3))) {
      words.add("others=" + id);
    }
  }

  private int id() {
    return 1 + random.nextInt(IDS);
  }

  private void sometimes(int oneIn, List<String> words, String word) {
    if (random.nextInt(oneIn) == 0) {
      words.add(word);
    }
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
