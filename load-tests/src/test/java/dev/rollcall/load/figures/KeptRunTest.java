package dev.rollcall.load.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

class KeptRunTest {
  private static JsonObject run(JsonObject... cases) {
    var all = new JsonArray();
    for (JsonObject one : cases) {
      all.add(one);
    }
    return new JsonObject()
        .put("bench", "login")
        .put("command", "./rollcall bench login")
        .put("at", "2026-11-25")
        .put("version", "0.1.0")
        .put("source", "a page")
        .put("machine", new JsonObject().put("processors", 2))
        .put("cases", all);
  }

  private static JsonObject one(double ours) {
    return new JsonObject().put("case", "one job").put("unit", "us").put("ours", ours);
  }

  private static KeptRun parse(JsonObject json) {
    return KeptRun.parse("login.json", json.encode());
  }

  private static void assertRefused(String message, JsonObject json) {
    assertEquals(
        message, assertThrows(IllegalArgumentException.class, () -> parse(json)).getMessage());
  }

  @Test
  void figuresAreReadByTheirPath() {
    JsonObject spread = new JsonObject().put("ours", new JsonObject().put("p99.9", 7));
    KeptCase one = parse(run(one(4000).put("spread", spread).put("rest_s", 60))).of("one job");
    assertEquals(7, one.number("spread.ours.p99.9"));
    assertEquals(60, one.number("rest_s"));
    assertEquals(4, one.in("ms", "ours"));
    var e = assertThrows(IllegalArgumentException.class, () -> one.number("peer"));
    assertEquals("login.json: the case 'one job' has no number 'peer'", e.getMessage());
    e = assertThrows(IllegalArgumentException.class, () -> one.in("MiB", "ours"));
    assertEquals("login.json: the case 'one job' is in us, not in MiB", e.getMessage());
  }

  @Test
  void figuresOfAPageKeepItsDigits() {
    KeptCase kept = parse(run(one(1).put("ours", 1319)).put("rounded", true)).of("one job");
    assertEquals("1,319", kept.ours(2));
    assertEquals("1,300", parse(run(one(1319))).of("one job").ours(2));
  }

  @Test
  void aRunThatCannotBeJudgedIsRefused() {
    JsonObject lacking = run(one(1));
    lacking.remove("machine");
    lacking.remove("at");
    assertRefused("login.json lacks [at, machine]", lacking);
    JsonObject sourceless = run(one(1));
    sourceless.remove("source");
    assertRefused("login.json names neither its commit nor its source", sourceless);
    assertRefused("login.json has the case 'one job' twice", run(one(1), one(2)));
    assertRefused(
        "login.json: the case 'one job' has no number 'ours'",
        run(new JsonObject().put("case", "one job").put("unit", "us")));
  }

  @Test
  void aRatioThatIsNotThatOfTheFiguresIsRefused() {
    assertEquals(
        "5.1", parse(run(one(301).put("peer", 1550).put("ratio", 5.1))).of("one job").ratio());
    assertRefused(
        "login.json: 'one job' has the ratio 6.1, by its figures it is 5.0",
        run(one(300).put("peer", 1500).put("ratio", 6.1)));
  }

  @Test
  void numbersHaveTheDigitsThatAreAskedFor() {
    assertEquals("0.40", Digits.significant(0.4, 2));
    assertEquals("11", Digits.significant(11.2, 2));
    assertEquals("1.0", Digits.significant(0.999, 2));
    assertEquals("1,300", Digits.significant(1_319, 2));
    assertEquals("2,014", Digits.whole(2_014.118));
    assertEquals("21.6", Digits.ratio(21.6));
    assertEquals("42", Digits.ratio(42.4));
  }
}
