package dev.rollcall.wire.pace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BucketTest {
  private static long ms(long milliseconds) {
    return TimeUnit.MILLISECONDS.toNanos(milliseconds);
  }

  @Test
  void thereIsAsMuchAsComes() {
    var bucket = new Bucket(new Rate(10, 3), 0);
    for (int i = 0; i < 3; i++) {
      assertTrue(bucket.take(0));
    }
    assertFalse(bucket.take(0));
    assertFalse(bucket.take(ms(99)));
    assertTrue(bucket.take(ms(101)));
    assertFalse(bucket.take(ms(102)));
  }

  @Test
  void itTellsWhenADebtIsPaidAndOneIsThere() {
    var bucket = new Bucket(new Rate(10, 3), 0);
    assertEquals(0, bucket.untilOne(0));
    bucket.charge(23, 0);
    assertEquals(ms(2_100), bucket.untilOne(0));
    assertEquals(ms(100), bucket.untilOne(ms(2_000)));
    assertFalse(bucket.take(ms(2_099)));
    assertTrue(bucket.take(ms(2_101)));
  }

  @Test
  void aRestBringsNoMoreThanTheMost() {
    var bucket = new Bucket(new Rate(10, 3), 0);
    assertTrue(bucket.isFull(0));
    assertTrue(bucket.take(0));
    assertFalse(bucket.isFull(0));
    assertTrue(bucket.isFull(ms(60_000)));
    int taken = 0;
    while (bucket.take(ms(60_000))) {
      taken++;
    }
    assertEquals(3, taken);
  }

  @Test
  void whatIsOwedIsWaitedFor() {
    var bucket = new Bucket(new Rate(10, 2), 0);
    assertEquals(0, bucket.owe(0));
    assertEquals(0, bucket.owe(0));
    assertEquals(ms(100), bucket.owe(0));
    assertEquals(ms(200), bucket.owe(0));
    assertEquals(ms(200), bucket.owe(ms(100)));
    bucket.charge(3, ms(100));
    assertEquals(ms(600), bucket.owe(ms(100)));
  }

  @Test
  void timeMayWrap() {
    long start = Long.MAX_VALUE - 1;
    var bucket = new Bucket(new Rate(10, 1), start);
    assertTrue(bucket.take(start));
    assertFalse(bucket.has(start + ms(99)));
    assertTrue(bucket.has(start + ms(101)));
  }

  @Test
  void eachHasTheirOwnAndWhoCameLongestAgoIsForgotten() {
    var buckets = new Buckets<String>(new Rate(10, 1), 2);
    assertTrue(buckets.of("alice", 0).take(0));
    assertTrue(buckets.of("bob", 0).take(0));
    assertFalse(buckets.of("alice", 0).take(0));
    assertTrue(buckets.of("carol", 0).take(0));
    assertFalse(buckets.of("alice", 0).take(0));
    assertTrue(buckets.of("bob", 0).take(0), "it was bob who came longest ago");
  }
}
