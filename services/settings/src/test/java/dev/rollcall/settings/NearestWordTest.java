package dev.rollcall.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestWordTest {
  @ParameterizedTest
  @CsvSource({
    "BasePth, BasePath",
    "basepaths, BasePath",
    "AUTO_BASEPATH, AutoBasePath",
    "Dir, Dirs",
    "base, BasePath",
  })
  void theNearestIsFound(String word, String nearest) {
    assertEquals(nearest, NearestWord.to(word, List.of("AutoBasePath", "BasePath", "Dirs")));
  }
}
