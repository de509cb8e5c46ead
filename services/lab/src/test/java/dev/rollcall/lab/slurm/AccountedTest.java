package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccountedTest {
  @ParameterizedTest
  @CsvSource({"00:06.002, 6002", "01:02:03, 3723000", "1-00:00:01, 86401000", "00:00:00, 0"})
  void readsTheTimesOfSacct(String text, long millis) {
    assertEquals(Duration.ofMillis(millis), Accounted.time(text));
  }
}
