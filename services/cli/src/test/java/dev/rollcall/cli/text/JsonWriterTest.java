package dev.rollcall.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonWriterTest {
  @Test
  void valuesNest() {
    assertEquals(
        "{\"a\":[1,true,null,\"x\"]}",
        JsonWriter.write(Map.of("a", Arrays.asList(1, true, null, "x"))));
    assertEquals("[]", JsonWriter.write(List.of()));
  }

  @Test
  void textIsEscaped() {
    assertEquals(
        "\"a\\\"b\\\\c\\nd\\te\\u001bf\\u007fé\"", JsonWriter.write("a\"b\\c\nd\te\033f\177é"));
  }
}
