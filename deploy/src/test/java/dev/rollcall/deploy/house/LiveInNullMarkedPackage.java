package dev.rollcall.deploy.house;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

/** Holds for a class whose package's package-info carries {@link NullMarked}. */
final class LiveInNullMarkedPackage extends ArchCondition<JavaClass> {
  LiveInNullMarkedPackage() {
    super("live in a package that is @NullMarked");
  }

  @Override
  public void check(JavaClass item, ConditionEvents events) {
    boolean marked = item.getPackage().isAnnotatedWith(NullMarked.class);
    events.add(
        new SimpleConditionEvent(
            item, marked, item.getName() + " lives in a package that is not @NullMarked"));
  }
}
