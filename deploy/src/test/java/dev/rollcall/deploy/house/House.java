package dev.rollcall.deploy.house;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The rules. The arrows are those of docs/architecture.md. */
final class House {
  /** Each module, and which of our packages it may see beside its own. */
  static final Map<String, List<String>> ARROWS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("proto", List.of()),
              Map.entry("model", List.of()),
              Map.entry("client", List.of("proto")),
              Map.entry("port", List.of("model")),
              Map.entry("settings", List.of()),
              Map.entry("linux", List.of("model", "port")),
              Map.entry("jobs", List.of("model", "port", "linux")),
              Map.entry("wire", List.of("proto", "model", "port")),
              Map.entry("authority", List.of("model")),
              Map.entry("roll", List.of("model", "port")),
              Map.entry(
                  "agent", List.of("proto", "model", "port", "linux", "jobs", "wire", "settings")),
              Map.entry(
                  "gateway",
                  List.of("proto", "model", "port", "linux", "wire", "roll", "settings")),
              Map.entry("cli", List.of("proto", "model", "linux", "wire", "settings", "authority")),
              Map.entry("deploy", List.of("cli")),
              Map.entry("testkit", List.of("model", "port"))));

  static final ArchRule MODEL_IS_JDK_ONLY =
      classes()
          .that()
          .resideInAnyPackage("dev.rollcall.model..", "dev.rollcall.port..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..", "org.jspecify..", "dev.rollcall.model..", "dev.rollcall.port..");

  static final ArchRule FOREIGN_MEMORY_ONLY_IN_LINUX =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.rollcall.linux..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.lang.foreign..");

  static final ArchRule HAZELCAST_ONLY_IN_ROLL_AND_THE_GATEWAYS_MAIN =
      noClasses()
          .that(
              resideOutsideOfPackage("dev.rollcall.roll..")
                  .and(nameMatching("dev\\.rollcall\\.gateway\\.Main(\\$.*)?").negate()))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.hazelcast..");

  static final ArchRule BOUNCY_CASTLE_ONLY_IN_AUTHORITY =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.rollcall.authority..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.bouncycastle..");

  static final ArchRule STAGES_DO_NOT_SEE_EACH_OTHER =
      slices()
          .matching("dev.rollcall.agent.(*)..")
          .should()
          .notDependOnEachOther()
          .ignoreDependency(alwaysTrue(), resideInAPackage("dev.rollcall.agent.event.."));

  static final ArchRule NO_CYCLES =
      slices().matching("dev.rollcall.(**)").should().beFreeOfCycles();

  static final ArchRule NAMES_SAY_SOMETHING =
      noClasses()
          .that(resideOutsideOfPackage("dev.rollcall.proto.."))
          .should()
          .haveNameMatching(
              ".*[.$]((Abstract|Base|Common)[A-Z]\\w*|\\w*(Utils?|Manager|Impl|Helper|Misc|Base|Common))");

  static final ArchRule PACKAGES_ARE_NULL_MARKED =
      classes()
          .that(resideOutsideOfPackage("dev.rollcall.proto.."))
          .should(new LiveInNullMarkedPackage());

  /** All rules by their names. */
  static final Map<String, ArchRule> RULES = rules();

  private House() {}

  static ArchRule rule(String name) {
    return Objects.requireNonNull(RULES.get(name), name);
  }

  private static Map<String, ArchRule> rules() {
    var rules = new TreeMap<String, ArchRule>();
    rules.put("model is JDK only", MODEL_IS_JDK_ONLY);
    rules.put("java.lang.foreign only in linux", FOREIGN_MEMORY_ONLY_IN_LINUX);
    rules.put(
        "Hazelcast only in roll and the gateway's main",
        HAZELCAST_ONLY_IN_ROLL_AND_THE_GATEWAYS_MAIN);
    rules.put("Bouncy Castle only in authority", BOUNCY_CASTLE_ONLY_IN_AUTHORITY);
    rules.put("stages do not see each other", STAGES_DO_NOT_SEE_EACH_OTHER);
    rules.put("no cycles between packages", NO_CYCLES);
    rules.put("names say something", NAMES_SAY_SOMETHING);
    rules.put("packages are null-marked", PACKAGES_ARE_NULL_MARKED);
    ARROWS.forEach((module, seen) -> rules.put("arrows of " + module, arrows(module, seen)));
    return rules;
  }

  private static ArchRule arrows(String module, List<String> seen) {
    String[] allowed =
        Stream.concat(Stream.of(module), seen.stream())
            .map(name -> "dev.rollcall." + name + "..")
            .toArray(String[]::new);
    return classes()
        .that()
        .resideInAPackage("dev.rollcall." + module + "..")
        .should()
        .onlyDependOnClassesThat(
            resideOutsideOfPackage("dev.rollcall..").or(resideInAnyPackage(allowed)));
  }
}
