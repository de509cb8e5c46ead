/**
 * The house's rules: which module may see which, what a class may be called, what a package says of
 * itself. Each rule is shown to fail on a class that breaks it.
 */
@NullMarked
package dev.rollcall.deploy.house;

import org.jspecify.annotations.NullMarked;
