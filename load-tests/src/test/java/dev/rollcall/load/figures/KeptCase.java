package dev.rollcall.load.figures;

import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;

/**
 * One case of a kept run.
 *
 * @param file that has it, for messages
 * @param isRounded whether its figures have only the digits of the page
 */
public record KeptCase(String file, boolean isRounded, JsonObject json) {
  /** A figure in the first unit, multiplied by this, is in the second. */
  private static final Map<String, Double> FACTORS =
      Map.of("us>ms", 1e-3, "us>s", 1e-6, "ms>us", 1e3, "ms>s", 1e-3, "B>KiB", 1.0 / 1024);

  String name() {
    return json.getString("case");
  }

  String unit() {
    return json.getString("unit");
  }

  /**
   * A number of the case.
   *
   * @param path as {@code ours}, {@code spread.peer.p99} or the name of a fact
   */
  Optional<Double> find(String path) {
    return kept(path).map(Number::doubleValue);
  }

  private Optional<Number> kept(String path) {
    Object value = json;
    // The name of a percentile has a dot, too.
    for (String key : path.split("\\.", 3)) {
      value = value instanceof JsonObject object ? object.getValue(key) : "";
    }
    return value instanceof Number number ? Optional.of(number) : Optional.empty();
  }

  public double number(String path) {
    return find(path)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "%s: the case '%s' has no number '%s'".formatted(file, name(), path)));
  }

  /** With the digits of the page, or with so many significant digits. */
  String shown(String path, int digits) {
    double value = number(path);
    return isRounded
        ? kept(path).map(KeptCase::asKept).orElseThrow()
        : Digits.significant(value, digits);
  }

  private static String asKept(Number number) {
    int decimals = new BigDecimal(number.toString()).scale();
    return Digits.fixed(number.doubleValue(), Math.max(0, decimals));
  }

  public String ours(int digits) {
    return shown("ours", digits);
  }

  public String ratio() {
    return isRounded ? shown("ratio", 3) : Digits.ratio(number("ratio"));
  }

  /** A number of the case in the unit of the page. */
  double in(String wanted, String path) {
    double value = number(path);
    if (unit().equals(wanted)) {
      return value;
    }
    Double factor = FACTORS.get(unit() + ">" + wanted);
    if (factor == null) {
      throw new IllegalArgumentException(
          "%s: the case '%s' is in %s, not in %s".formatted(file, name(), unit(), wanted));
    }
    return value * factor;
  }
}
