package dev.rollcall.model;

import dev.rollcall.model.AdoptOptions.ActionAdoptFailure;
import dev.rollcall.model.AdoptOptions.ActionGenericFailure;
import dev.rollcall.model.AdoptOptions.ActionNoJobs;
import dev.rollcall.model.AdoptOptions.ActionUnknown;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a PAM line's options as the module does: {@code name=value}, names and values in any case,
 * each default accepted when written out, everything unknown refused by name.
 */
public final class AdoptOptionsParser {
  private static final Set<String> MODULE_ONLY =
      Set.of("log_level", "nodename", "timeout_ms", "port", "socket");

  private final Map<String, String> given = new HashMap<>();

  private AdoptOptionsParser() {}

  /**
   * Reads the options of one PAM line, without the module's name.
   *
   * @throws IllegalArgumentException naming the option and the value
   */
  public static AdoptOptions parse(List<String> arguments) {
    var parser = new AdoptOptionsParser();
    arguments.forEach(parser::take);
    return parser.options();
  }

  private void take(String argument) {
    int equals = argument.indexOf('=');
    if (equals < 0) {
      throw new IllegalArgumentException("option '" + argument + "' is not NAME=VALUE");
    }
    given.put(
        argument.substring(0, equals).toLowerCase(Locale.ROOT), argument.substring(equals + 1));
  }

  private AdoptOptions options() {
    AdoptOptions defaults = AdoptOptions.DEFAULTS;
    var options =
        new AdoptOptions(
            choice("action_no_jobs", ActionNoJobs.class, defaults.actionNoJobs()),
            choice("action_unknown", ActionUnknown.class, defaults.actionUnknown()),
            choice("action_adopt_failure", ActionAdoptFailure.class, defaults.actionAdoptFailure()),
            choice(
                "action_generic_failure",
                ActionGenericFailure.class,
                defaults.actionGenericFailure()),
            flag("ignore_root", defaults.ignoreRoot()),
            flag("single_job_skip_rpc", defaults.singleJobSkipRpc()),
            flag("disable_x11", defaults.disableX11()),
            flag("join_container", defaults.joinContainer()),
            flag("choose", defaults.choose()),
            Optional.ofNullable(given.remove("service")).orElse(defaults.service()));
    given.keySet().removeAll(MODULE_ONLY);
    given.keySet().stream()
        .sorted()
        .findFirst()
        .ifPresent(name -> {
          throw new IllegalArgumentException("unknown option '" + name + "'");
        });
    return options;
  }

  private <E extends Enum<E>> E choice(String name, Class<E> values, E otherwise) {
    String text = given.remove(name);
    if (text == null) {
      return otherwise;
    }
    return Arrays.stream(values.getEnumConstants())
        .filter(value -> value.name().equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(() -> unknown(name, text));
  }

  private boolean flag(String name, boolean otherwise) {
    String text = given.remove(name);
    if (text == null) {
      return otherwise;
    }
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "1", "true", "yes" -> true;
      case "0", "false", "no" -> false;
      default -> throw unknown(name, text);
    };
  }

  private static IllegalArgumentException unknown(String name, String value) {
    return new IllegalArgumentException("option " + name + ": unknown value '" + value + "'");
  }
}
