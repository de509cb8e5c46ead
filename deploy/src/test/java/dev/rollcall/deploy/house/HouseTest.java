package dev.rollcall.deploy.house;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class HouseTest {
  static final Set<String> RULES = House.RULES.keySet();
  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.rollcall");

  @ParameterizedTest
  @FieldSource("RULES")
  void theHouseKeepsEachRule(String rule) {
    House.rule(rule).allowEmptyShould(true).check(CLASSES);
  }

  @Test
  void everyModuleOfOursHasItsArrows() {
    var modules = new TreeSet<String>();
    CLASSES.forEach(type ->
        modules.add(type.getPackageName().replaceFirst("^dev\\.rollcall\\.([a-z]+).*", "$1")));
    var without = new TreeSet<>(modules);
    without.removeAll(House.ARROWS.keySet());
    assertEquals(Set.of(), without);
  }
}
