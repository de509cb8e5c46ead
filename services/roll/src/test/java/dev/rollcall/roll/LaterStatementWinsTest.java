package dev.rollcall.roll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.hazelcast.spi.merge.MergingValue;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Entries of a grid that was split and is one again, in every order of merging. */
class LaterStatementWinsTest {
  private static final LaterStatementWins POLICY = new LaterStatementWins();

  private record Held(Object value) implements MergingValue<Object> {
    @Override
    public Object getDeserializedValue() {
      return value;
    }

    @Override
    public Object getRawValue() {
      return value;
    }
  }

  private static JobValue job(long registration, long second) {
    return new JobValue(
        new NodeEpoch(new NodeName("n1"), "boot", 1),
        registration,
        new Job(new JobId(7), 1000, 1000, Instant.EPOCH, JobState.OPEN),
        "alice",
        List.of(),
        Instant.ofEpochSecond(second));
  }

  private static @Nullable Object merge(Object merging, @Nullable Object existing) {
    return POLICY.merge(new Held(merging), existing == null ? null : new Held(existing));
  }

  private static Object merged(Object merging, Object existing) {
    Object merged = merge(merging, existing);
    if (merged == null) {
      throw new AssertionError("both parts had it, and it was lost");
    }
    return merged;
  }

  /** Every order in which parts of a grid find each other ends with the same statement. */
  @Test
  void statementsOfANodeMergeAlikeInEveryOrder() {
    var random = new Random(19);
    for (int round = 0; round < 10_000; round++) {
      JobValue a = job(random.nextInt(3), random.nextInt(3));
      JobValue b = job(random.nextInt(3), random.nextInt(3));
      JobValue c = job(random.nextInt(3), random.nextInt(3));
      assertEquals(a, merged(a, a));
      assertEquals(merged(a, b), merged(b, a));
      assertEquals(merged(merged(a, b), c), merged(a, merged(b, c)));
      assertEquals(merged(a, b), merged(a, merged(a, b)));
    }
  }

  @Test
  void theLatestStatementStaysWhateverTheOrder() {
    var random = new Random(20);
    for (int round = 0; round < 1_000; round++) {
      var parts = new ArrayList<Object>();
      for (int part = 0; part < 5; part++) {
        parts.add(job(random.nextInt(4), random.nextInt(4)));
      }
      JobValue latest = job(4, random.nextInt(4));
      parts.set(random.nextInt(parts.size()), latest);
      assertSame(latest, parts.stream().reduce(LaterStatementWinsTest::merged).orElseThrow());
    }
  }

  /** It may have been struck there: a node that has it still sends it when it connects anew. */
  @Test
  void aJobThatOnePartAloneHasIsNotBroughtBack() {
    assertNull(merge(job(1, 1), null));
  }
}
