package dev.rollcall.gateway.limit;

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
    var bucket = new Bucket(10, 3, 0);
    for (int i = 0; i < 3; i++) {
      assertTrue(bucket.take(0));
    }
    assertFalse(bucket.take(0));
    assertFalse(bucket.take(ms(99)));
    assertTrue(bucket.take(ms(101)));
    assertFalse(bucket.take(ms(102)));
  }

  @Test
  void aRestBringsNoMoreThanTheMost() {
    var bucket = new Bucket(10, 3, 0);
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
    var bucket = new Bucket(10, 2, 0);
    assertEquals(0, bucket.owe(0));
    assertEquals(0, bucket.owe(0));
    assertEquals(ms(100), bucket.owe(0));
    assertEquals(ms(200), bucket.owe(0));
    assertEquals(ms(200), bucket.owe(ms(100)));
  }
}
